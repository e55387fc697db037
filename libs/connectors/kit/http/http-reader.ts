/**
 * Reads a list or search endpoint by its continuation contract.
 * 1. A page counts only when the whole body was read and every declared end signal could be read and agrees.
 * 2. Every request goes to the base URL's origin, and only if host, port and address are allowed.
 */
import type { Dispatcher } from 'undici';
import type { AskedValues } from '../asked-values.js';
import type { Clock, Egress, Secrets } from '../inputs.js';
import type { HttpConnect, SecretReference } from '../register/connect.js';
import { sha256Hex } from '../sha256.js';
import type { Opened, PageResponse, ReadFailure, ReadOutcome, ReadRequest, RecordOutcome, SourceReader } from '../source-reader.js';
import type { DocumentSource } from '../register/register-document.js';
import { egressProblem } from './egress.js';
import { egressAgent, exchange, type Exchange } from './http-exchange.js';
import { failure } from './http-failure.js';
import { notReadYet } from './not-read-yet.js';
import { BodyUnreadable, mapPage, rowOf, type MappedPage } from './page-mapping.js';
import { pageRequestText, pageUrl, recordUrl } from './request-url.js';

export interface HttpReaderInputs {
  readonly source: Pick<DocumentSource, 'method'>;
  readonly connect: HttpConnect;
  readonly asked: AskedValues;
  readonly secrets: Secrets;
  readonly egress: Egress;
  readonly clock: Clock;
}

interface Reachable {
  readonly base: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
}

const isFailure = (value: object): value is ReadFailure => 'type' in value && value.type === 'failure';

const EMPTY_PAGE: MappedPage = { rows: [], end: 'signalled', total: null, snapshot: null, reasons: [], nextCursor: null };
const NO_BODY = Buffer.alloc(0);

const referenceName = (reference: SecretReference): string => ('env' in reference ? reference.env : reference.file);

export class HttpReader implements SourceReader {
  private reachable: Reachable | null = null;
  private recordsOfPass = 0;
  private totalOfWalk: number | null = null;

  constructor(private readonly inputs: HttpReaderInputs) {}

  async open(): Promise<Opened | ReadFailure> {
    const { connect, secrets, egress, source } = this.inputs;
    const unread = notReadYet(connect);
    if (unread !== null) return failure('scope-unverified', `the contract's ${unread} is not read by this version`);
    const headers = this.headers();
    if (isFailure(headers)) return headers;
    const base = secrets(connect.url);
    if (base === null) return failure('source-unavailable', `${referenceName(connect.url)} is not set`);
    if (!URL.canParse(base)) return failure('source-unavailable', `${referenceName(connect.url)} is no URL`);
    const url = new URL(base);
    const problem = egressProblem(url, egress);
    if (problem !== null) return failure('source-forbidden', problem);
    this.reachable = { base: url, headers, dispatcher: egressAgent(egress, connect) };
    return { type: 'opened', method: source.method };
  }

  private headers(): Record<string, string> | ReadFailure {
    const { connect, secrets } = this.inputs;
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(connect.request.headers)) {
      if ('value' in value) headers[name] = value.value;
      else if ('secret' in value) {
        const secret = secrets(value.secret);
        if (secret === null) return failure('source-unavailable', `${referenceName(value.secret)} is not set`);
        headers[name] = secret;
      }
    }
    return headers;
  }

  async read(request: ReadRequest): Promise<ReadOutcome> {
    const { connect, asked, clock } = this.inputs;
    if (request.cursor === null) this.recordsOfPass = 0;
    const startedAt = clock.now().toISOString();
    const answer = await this.ask(({ base }) => pageUrl(base, connect, asked, request.cursor), request);
    if (answer.type === 'failure') return answer;
    const endedAt = clock.now().toISOString();
    const position = { cursor: request.cursor, recordsBefore: this.recordsOfPass, totalBefore: this.totalOfWalk };
    const mapped = readBody(() => (answer.type === 'json' ? mapPage(answer.json, connect, position) : EMPTY_PAGE));
    if ('type' in mapped) return mapped;
    this.recordsOfPass += mapped.rows.length;
    this.totalOfWalk ??= mapped.total?.value ?? null;
    return this.response(mapped, answer, { request, startedAt, endedAt });
  }

  async readById(recordId: string, signal: AbortSignal): Promise<RecordOutcome> {
    const { connect } = this.inputs;
    const { byId, record, responseBytesMax } = connect;
    if (!byId) return failure('source-unavailable', 'the source cannot be asked for one record');
    const answer = await this.ask(({ base }) => recordUrl(base, byId.path, recordId), { cursor: null, bytesMax: responseBytesMax, signal });
    if (answer.type === 'failure') return answer;
    if (answer.type === 'not-found') return { type: 'absent' };
    const row = readBody(() => rowOf(answer.json, record));
    return 'type' in row ? row : { type: 'record', row };
  }

  async close(): Promise<void> {
    const open = this.reachable;
    this.reachable = null;
    await open?.dispatcher.destroy();
  }

  private async ask(
    urlOf: (reachable: Reachable) => URL | null,
    { cursor, bytesMax, signal }: Pick<ReadRequest, 'cursor' | 'bytesMax' | 'signal'>,
  ): Promise<Exchange> {
    const { reachable } = this;
    const { connect, clock } = this.inputs;
    if (!reachable) throw new Error('the reader is not open');
    const url = urlOf(reachable);
    if (url === null) return failure('response-invalid', 'the id cannot be asked for');
    if (url.origin !== reachable.base.origin) return failure('continuation-off-origin', 'the request would leave the origin');
    const { headers, dispatcher } = reachable;
    const place = cursor === null ? 'start' : connect.paging.kind === 'cursor' ? 'cursor' : 'number';
    return exchange({ url, headers, dispatcher, connect, clock, bytesMax, place, signal });
  }

  private response(
    mapped: MappedPage,
    answer: Exclude<Exchange, ReadFailure>,
    { request, startedAt, endedAt }: { request: ReadRequest; startedAt: string; endedAt: string },
  ): PageResponse {
    const { connect, asked } = this.inputs;
    const body = answer.type === 'json' ? answer.body : NO_BODY;
    const { rows, end, total, snapshot, reasons, nextCursor } = mapped;
    return {
      type: 'page',
      rows,
      observed: { bytes: body.length, end, total, snapshot, reasons },
      next: nextCursor === null ? null : { cursor: nextCursor, fingerprint: sha256Hex(nextCursor) },
      requestFingerprint: sha256Hex(pageRequestText(connect, asked, request.cursor)),
      cursorFingerprint: request.cursor === null ? null : sha256Hex(request.cursor),
      bodySha256: sha256Hex(body),
      startedAt,
      endedAt,
      status: answer.type === 'json' ? 200 : 404,
      remarks: null,
    };
  }
}

const readBody = <T>(read: () => T): T | ReadFailure => {
  try {
    return read();
  } catch (error) {
    if (error instanceof BodyUnreadable) return failure('response-invalid', error.message, 200);
    throw error;
  }
};
