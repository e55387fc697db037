/** Where gateway is, and the key that it is asked with. The key comes from the environment only: arguments are seen by every process. */
import { CliError } from '../cli-error.js';
import { readNamedFile } from '../read-file.js';
import type { Surroundings } from '../surroundings.js';

export const URL_DEFAULT = 'http://127.0.0.1:8080';
const KEY_FILE_BYTES_MAX = 10_000;

export interface Connection {
  readonly url: string;
  readonly apiKey: string;
}

/** @throws CliError */
export async function connectionOf(urlOption: string | undefined, env: Surroundings['env']): Promise<Connection> {
  return { url: urlOf(urlOption || env['LACUNA_URL'] || URL_DEFAULT), apiKey: await apiKeyOf(env) };
}

function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new CliError(`"${text}" is no address of a gateway: give one such as ${URL_DEFAULT} as --url or LACUNA_URL`);
  if (url.username || url.password) throw new CliError('the address of the gateway holds a password: leave it out, a key is all it takes');
  return url.href.replace(/\/*$/, '/');
}

async function apiKeyOf(env: Surroundings['env']): Promise<string> {
  const { LACUNA_API_KEY: direct, LACUNA_API_KEY_FILE: file } = env;
  if (direct && file) throw new CliError('LACUNA_API_KEY and LACUNA_API_KEY_FILE are both set: keep one');
  const key = (direct || (file ? await readNamedFile('LACUNA_API_KEY_FILE', file, KEY_FILE_BYTES_MAX) : '')).trim();
  if (key === '') throw new CliError('no API key: set LACUNA_API_KEY, or LACUNA_API_KEY_FILE to a file that holds it');
  // A header cannot carry anything else; the key itself is never shown.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new CliError('the API key has spaces or other characters that no key has: copy it again');
  return key;
}
