/** The record that an option gives: JSON, or @ and the name of a file. */
import { readNamedFile } from '../read-file.js';
import { parsePayload } from './question-body.js';

const PAYLOAD_FILE_BYTES_MAX = 1_048_576;

/** @throws CliError */
export async function namedPayload(option: string, value: string): Promise<Record<string, unknown>> {
  return parsePayload(value.startsWith('@') ? await readNamedFile(option, value.slice(1), PAYLOAD_FILE_BYTES_MAX) : value);
}
