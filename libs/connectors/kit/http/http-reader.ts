/**
 * Reads a list or search endpoint by its continuation contract.
 * 1. A page counts only when the whole body was read and every declared end signal could be read and agrees.
 * 2. Every request goes to the base URL's origin, and only if host, port and address are allowed.
 */
import type { ReasonCode } from '@lacuna/evidence';
import type { AskedValues } from '../asked-values.js';
import { monotonicMsOf, type Clock, type Egress, type Secrets } from '../inputs.js';
import type { RateLimiter } from '../rate-limiter.js';
import type { HttpConnect, OpenRequest } from '../register/connect.js';
import type { DocumentSource } from '../register/register-document.js';
import { sha256Hex } from '../sha256.js';
import type { Opened, PageResponse, ReadFailure, ReadOutcome, ReadRequest, RecordOutcome, SourceReader } from '../source-reader.js';
import { type Answer, AnswerUnreadable, valueOf } from './answer.js';
import { flagReasons, type Sent } from './answer-flags.js';
import { below, type BuiltRequest, buildOther, buildPage, pathSegment } from './build-request.js';
import { egressProblem } from './egress.js';
import type { Json } from './exact-json.js';
import { failure } from './http-failure.js';
import { judgeAnswer, refusalOf } from './judge-answer.js';
import { OrderCheck } from './order-check.js';
import { mapPage, rowOf, type MappedPage, type PassSoFar } from './page-mapping.js';
import { CannotAsk, secretOf, type ValueSources } from './request-values.js';
import { type Asking, type JudgedPage, SourceAsker } from './source-asker.js';

export interface HttpReaderInputs {
  readonly source: Pick<DocumentSource, 'method' | 'name'>;
  readonly connect: HttpConnect;
  readonly asked: AskedValues;
  readonly secrets: Secrets;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly rateLimiter?: RateLimiter | undefined;
  readonly sleep?: ((delayMs: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Told of each answer that is a page, before it is read by the contract. */
  readonly onAnswer?: ((answer: Answer, pass: PassSoFar) => void) | undefined;
}

const CLOSE_MS_MAX = 5_000;
const NOTHING: Omit<MappedPage, 'lastIds'> = {
  rows: [],
  end: 'signalled',
  total: null,
  snapshot: null,
  watermark: null,
  reasons: [],
  nextCursor: null,
};

export class HttpReader implements SourceReader {
  private asker: SourceAsker | null = null;
  private opened: ReadonlyMap<string, Json> = new Map();
  private openReasons: readonly ReasonCode[] = [];
  private pass: ReturnType<HttpReader['newPass']>;
  private totalOfWalk: number | null = null;
  private nextGivenAtMs = 0;

  constructor(private readonly inputs: HttpReaderInputs) {
    this.pass = this.newPass();
  }

  async open(): Promise<Opened | ReadFailure> {
    const { connect, secrets, egress, source } = this.inputs;
    return attempted(() => {
      const url = secretOf(connect.url, secrets);
      if (!URL.canParse(url)) return failure('source-unavailable', 'the base URL is no URL');
      const base = new URL(url);
      const problem = egressProblem(base, egress);
      if (problem !== null) return failure('source-forbidden', problem);
      // Every secret is there before anything is asked.
      for (const value of Object.values(connect.request.headers)) if ('secret' in value) secretOf(value.secret, secrets);
      this.asker = new SourceAsker(base, this.inputs);
      return { type: 'opened' as const, method: source.method };
    });
  }

  async read(request: ReadRequest): Promise<ReadOutcome> {
    const { clock, connect } = this.inputs;
    if (request.cursor === null) {
      const failed = await this.beginPass(request);
      if (failed) return failed;
    }
    return attempted(async () => {
      const startedAt = clock.now().toISOString();
      const built = buildPage(this.source.base, connect, request.cursor, this.sources());
      const judged = await this.source.askPage(built, { ...request, isTooOld: () => request.cursor !== null && this.isTooOld() });
      if (judged.type === 'failure') return judged;
      const endedAt = clock.now().toISOString();
      return this.page(judged, built, { request, startedAt, endedAt });
    });
  }

  async readById(recordId: string, signal: AbortSignal): Promise<RecordOutcome> {
    const { byId, record, request, responseBytesMax } = this.inputs.connect;
    if (!byId) return failure('source-unavailable', 'the source cannot be asked for one record');
    return attempted(async (): Promise<RecordOutcome> => {
      const url = below(
        this.source.base,
        byId.path.replace('{id}', () => pathSegment(recordId)),
      );
      const { headers } = buildOther(this.source.base, { ...request, method: 'GET', path: '/', query: {} }, this.sources());
      const raw = await this.source.ask({ method: 'GET', url, headers, body: null, shown: '' }, { bytesMax: responseBytesMax, signal });
      if (raw.type === 'failure') return raw;
      const judged = judgeAnswer(raw, this.inputs.connect, 'start', this.inputs.clock);
      if (judged.type === 'failure') return judged;
      return judged.type === 'nothing' ? { type: 'absent' } : { type: 'record', row: rowOf(judged.answer.json, record) };
    });
  }

  async close(): Promise<void> {
    const { asker } = this;
    const { connect } = this.inputs;
    if (asker && connect.close && this.opened.size > 0) {
      const signal = AbortSignal.timeout(CLOSE_MS_MAX);
      const { close } = connect;
      await attempted(() => asker.ask(buildOther(asker.base, close, this.sources()), { bytesMax: connect.responseBytesMax, signal }));
    }
    this.asker = null;
    await asker?.close();
  }

  private newPass(): Omit<PassSoFar, 'cursor' | 'requestUrl' | 'firstUrl' | 'totalBefore'> & { firstUrl: URL | null } {
    const { order } = this.inputs.connect;
    return { recordsBefore: 0, pagesBefore: 0, lastIds: [], order: order === undefined ? null : new OrderCheck(order), firstUrl: null };
  }

  private get source(): SourceAsker {
    if (!this.asker) throw new Error('the reader is not open');
    return this.asker;
  }

  private sources(): ValueSources {
    const { asked, secrets } = this.inputs;
    return { asked, secrets, opened: this.opened };
  }

  private async beginPass(asking: Asking): Promise<ReadFailure | null> {
    this.pass = this.newPass();
    const { open } = this.inputs.connect;
    if (open === undefined) return null;
    return attempted(async () => {
      const built = buildOther(this.source.base, open, this.sources());
      const judged = await this.source.askBefore(built, asking);
      if (judged.type === 'failure') return judged;
      if (judged.type === 'nothing') return failure('metadata-missing', 'open gave nothing', judged.status);
      this.openReasons = flagReasons(judged.answer, open.flags, this.sentBy(built));
      const taken = takenFrom(judged.answer, open.take);
      const missing = Object.keys(open.take).find((name) => !taken.has(name));
      if (missing !== undefined) return failure('metadata-missing', `open gave no ${missing}`, judged.answer.status);
      this.opened = taken;
      return this.confirm(asking);
    });
  }

  private async confirm(asking: Asking): Promise<ReadFailure | null> {
    const { connect, clock } = this.inputs;
    if (connect.confirm === undefined) return null;
    const built = buildOther(this.source.base, connect.confirm, this.sources());
    const raw = await this.source.ask(built, { ...asking, bytesMax: connect.responseBytesMax });
    return raw.type === 'failure' ? raw : refusalOf(raw, connect, clock);
  }

  private isTooOld(): boolean {
    const { paging } = this.inputs.connect;
    const lifetimeMs = paging.kind === 'cursor' || paging.kind === 'url' ? paging.lifetimeMs : undefined;
    return lifetimeMs !== undefined && monotonicMsOf(this.inputs.clock) - this.nextGivenAtMs > lifetimeMs;
  }

  private sentBy({ url }: BuiltRequest): Sent {
    return { query: url.searchParams, asked: this.inputs.asked };
  }

  private page(
    judged: JudgedPage,
    built: BuiltRequest,
    { request, startedAt, endedAt }: { request: ReadRequest; startedAt: string; endedAt: string },
  ): PageResponse {
    const mapped = judged.type === 'page' ? this.mapped(judged.answer, built, request) : this.nothing(judged.status);
    this.pass = {
      ...this.pass,
      firstUrl: this.pass.firstUrl ?? built.url,
      recordsBefore: this.pass.recordsBefore + mapped.rows.length,
      pagesBefore: this.pass.pagesBefore + 1,
      lastIds: mapped.lastIds,
    };
    this.totalOfWalk ??= mapped.total?.value ?? null;
    this.nextGivenAtMs = monotonicMsOf(this.inputs.clock);
    const { rows, end, total, snapshot, nextCursor, watermark } = mapped;
    const reasons = [...new Set([...this.openReasons, ...mapped.reasons])];
    return {
      type: 'page',
      rows,
      observed: { bytes: judged.body.length, end, total, snapshot, reasons },
      next: nextCursor === null ? null : { cursor: nextCursor, fingerprint: this.fingerprintOf(nextCursor) },
      requestFingerprint: sha256Hex(built.shown),
      cursorFingerprint: request.cursor === null ? null : this.fingerprintOf(request.cursor),
      bodySha256: sha256Hex(judged.body),
      startedAt,
      endedAt,
      status: judged.type === 'page' ? judged.answer.status : judged.status,
      remarks: null,
      ...(watermark !== null && { watermark }),
    };
  }

  private mapped(answer: Answer, built: BuiltRequest, { cursor }: ReadRequest): MappedPage {
    this.retake(answer);
    const firstUrl = this.pass.firstUrl ?? built.url;
    const so: PassSoFar = { ...this.pass, firstUrl, cursor, requestUrl: built.url, totalBefore: this.totalOfWalk };
    this.inputs.onAnswer?.(answer, so);
    return mapPage(answer, this.inputs.connect, so, this.sentBy(built));
  }

  /** A 204 shows none of the flags that every answer must have; a 404 that is documented as nothing never has them. */
  private nothing(status: number): MappedPage {
    const unseen = status === 204 && this.inputs.connect.flags.some(({ required }) => required);
    return { ...NOTHING, lastIds: [], reasons: unseen ? ['metadata-missing'] : [] };
  }

  /** What `open` took, as this page gives it anew. */
  private retake(answer: Answer): void {
    const anew = takenFrom(answer, this.inputs.connect.open?.retake ?? {});
    if (anew.size > 0) this.opened = new Map([...this.opened, ...anew]);
  }

  /** Of a cursor as it may be written down: a next URL repeats what was asked, and anyone could guess that from a list of names. */
  private fingerprintOf(cursor: string): string {
    const personal = Object.values(this.inputs.asked).filter((value) => value.personal && value.value !== '');
    const forms = personal.flatMap(({ value }) => [
      value,
      encodeURIComponent(value),
      new URLSearchParams({ v: value }).toString().slice(2),
    ]);
    return sha256Hex(forms.reduce((text, form) => text.replaceAll(form, '{personal}'), cursor));
  }
}

/** What stands at the places of an answer, by name; null and an empty text are nothing. */
const takenFrom = (answer: Answer, places: OpenRequest['take']): ReadonlyMap<string, Json> => {
  const taken = new Map<string, Json>();
  for (const [name, place] of Object.entries(places)) {
    const value = valueOf(answer, place);
    if (value !== undefined && value !== null && value !== '') taken.set(name, value);
  }
  return taken;
};

/** What a source or a value does is an outcome; anything else thrown is a bug. */
const attempted = async <T>(work: () => T | Promise<T>): Promise<T | ReadFailure> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CannotAsk) return error.failure;
    if (error instanceof AnswerUnreadable) return failure('response-invalid', error.message, 200);
    throw error;
  }
};
