/** `lacuna receipt`: shows one receipt, or its envelope's exact bytes, and verifies it. */
import type { ReceiptPayload } from '@lacuna/receipts';
import { CliError } from '../cli-error.js';
import { coloursFor } from '../colours.js';
import { connectionOf, type Connection } from '../gateway/connection.js';
import { callGateway, jsonObject } from '../gateway/gateway-client.js';
import { readNamedFile } from '../read-file.js';
import type { Surroundings } from '../surroundings.js';
import { checkReceipt } from './check-receipt.js';
import { receiptText } from './receipt-text.js';

export interface ReceiptOptions {
  readonly url?: string;
  /** File of the public key, PEM. */
  readonly verify?: string;
  readonly envelope?: boolean;
  readonly json?: boolean;
}

/** What the API answers. */
interface ReceiptView {
  readonly leafIndex: number;
  readonly receiptHash: string;
  /** Base64. */
  readonly envelope: string;
  readonly payload: ReceiptPayload;
}

const PEM_BYTES_MAX = 10_000;

/** @throws CliError also when the receipt does not verify: then nothing of it is printed */
export async function showReceipt(receiptId: string, options: ReceiptOptions, surroundings: Surroundings): Promise<void> {
  const { env, print, printBytes, say, hasColour } = surroundings;
  const pem = options.verify === undefined ? null : await readNamedFile('--verify', options.verify, PEM_BYTES_MAX);
  const connection = await connectionOf(options.url, env);
  const { bytes, view } = await fetchReceipt(connection, receiptId);
  const facts = pem === null ? view : verified(receiptId, view, pem);
  if (pem === null) say('not verified: give the public key as --verify FILE');
  else say(`verified: signed with the key of ${options.verify}`);
  if (options.envelope) printBytes(Buffer.from(view.envelope, 'base64'));
  else if (options.json) printBytes(Buffer.concat([bytes, Buffer.from('\n')]));
  else print(receiptText({ ...facts, leafIndex: view.leafIndex }, coloursFor(hasColour)));
}

async function fetchReceipt(connection: Connection, receiptId: string): Promise<{ bytes: Buffer; view: ReceiptView }> {
  const path = `v1/receipts/${encodeURIComponent(receiptId)}`;
  const bytes = await callGateway(connection, { method: 'GET', path, headers: { accept: 'application/json' } });
  const view = jsonObject<ReceiptView>(bytes, connection);
  if (typeof view.envelope !== 'string' || typeof view.payload !== 'object')
    throw new CliError(`what answers at ${connection.url} is no gateway: its answer is no receipt`);
  return { bytes, view };
}

function verified(receiptId: string, view: ReceiptView, pem: string): { payload: ReceiptPayload; receiptHash: string } {
  const check = checkReceipt(receiptId, Buffer.from(view.envelope, 'base64'), pem, view);
  if (!check.ok) throw new CliError(`receipt ${receiptId} does not verify: ${check.why}`);
  return check;
}
