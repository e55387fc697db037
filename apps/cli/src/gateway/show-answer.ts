/** One call and what it answers: for people, or the API's bytes as they are. */
import { CliError } from '../cli-error.js';
import { coloursFor, type Colours } from '../colours.js';
import type { Surroundings } from '../surroundings.js';
import { connectionOf } from './connection.js';
import { callGateway, jsonObject, type Call } from './gateway-client.js';

export interface ShowOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** @param text null when the answer is not what was asked for */
export async function showAnswer<T extends object>(
  call: Call,
  { url, json }: ShowOptions,
  { env, print, printBytes, hasColour }: Surroundings,
  text: (answer: T, colours: Colours) => string | null,
): Promise<void> {
  const connection = await connectionOf(url, env);
  const bytes = await callGateway(connection, call);
  const shown = text(jsonObject<T>(bytes, connection), coloursFor(hasColour));
  if (shown === null) throw new CliError(`what answers at ${connection.url} is no gateway: its answer is none to this command`);
  if (json) printBytes(Buffer.concat([bytes, Buffer.from('\n')]));
  else print(shown);
}
