/** An API that keeps what its contract says, over a table that moves, but for the one fault of its scenario. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault, Move, Scenario } from './scenario.js';

export const WANTED = 'K-1';
export const PART = 'p-1';

interface Row {
  readonly id: number;
  readonly key: string | null;
  readonly part: string;
  readonly state: string;
  readonly into: string | null;
}

interface Page {
  readonly rows: readonly Row[];
  /** What the next request carries; null: this is the last page. */
  readonly next: string | null;
  readonly total: number;
  readonly snapshot: string;
}

const FIRST_ID = 1_000;

export class ModelApi {
  /** In the order in which the API lists it; ids ascend but where a row was moved. */
  private rows: Row[];
  private frozen: readonly Row[] | null = null;
  private requests = 0;
  private lastRows: readonly Row[] = [];
  private readonly targetId: number | null;

  constructor(private readonly scenario: Scenario) {
    this.rows = Array.from({ length: scenario.rows }, (_, at) => row(FIRST_ID + at * 10));
    this.targetId = scenario.target === null ? null : this.plant(scenario.target);
  }

  /** Whether the wanted record stood in the table from before the first request on. */
  get hasTarget(): boolean {
    return this.targetId !== null;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://model');
    const at = this.requests;
    this.requests += 1;
    for (const move of this.scenario.moves) if (move.before === at) this.move(move);
    const page = this.page(url);
    const { fault } = this.scenario;
    if (fault && isNow(fault, at)) this.faulty(fault.what, page, url, response);
    else sendPage(response, this.bodyOf(page, url));
    this.lastRows = page.rows;
  }

  private plant(share: number): number {
    const at = Math.floor(share * (this.rows.length + 1));
    const before = this.rows[at - 1]?.id ?? FIRST_ID - 10;
    const target = { ...row(before + 5), key: WANTED };
    this.rows.splice(at, 0, target);
    return target.id;
  }

  /** The target itself is moved where order may change, and never deleted. */
  private move({ what, at }: Move): void {
    const { kind } = this.scenario;
    const index = Math.floor(at * this.rows.length);
    const chosen = this.rows[index];
    const mutable = kind === 'offset-untested';
    if (what === 'insert-last') this.rows.push(row((this.rows.at(-1)?.id ?? FIRST_ID) + 10));
    if (what === 'insert-first') this.rows.unshift(row((this.rows[0]?.id ?? FIRST_ID) - 10));
    if (what === 'delete' && chosen && chosen.id !== this.targetId) this.rows.splice(index, 1);
    if (mutable && chosen && (what === 'to-first' || what === 'to-last')) {
      this.rows.splice(index, 1);
      if (what === 'to-first') this.rows.unshift(chosen);
      else this.rows.push(chosen);
    }
  }

  private page(url: URL): Page {
    const { kind, size } = this.scenario;
    const cursor = url.searchParams.get('cursor');
    if (kind === 'single') return { rows: this.rows, next: null, total: this.rows.length, snapshot: '1' };
    if (kind === 'snapshot' && cursor === null) this.frozen = [...this.rows];
    const rows = kind === 'snapshot' ? (this.frozen ?? []) : this.rows;
    if (kind === 'offset' || kind === 'page' || kind === 'overlap' || kind === 'offset-untested') {
      const number = Number(url.searchParams.get('at') ?? 0);
      const from = kind === 'page' ? (number - 1) * size : number;
      return { rows: rows.slice(from, from + this.sizeOf()), next: null, total: rows.length, snapshot: '1' };
    }
    const behind = cursor === null ? rows : rows.filter(({ id }) => id > Number(cursor));
    const shown = behind.slice(0, size);
    const next = behind.length > size ? String(shown.at(-1)?.id) : null;
    return { rows: shown, next, total: rows.length, snapshot: '1' };
  }

  /** Overlapping pages need room for one record of their own. */
  private sizeOf(): number {
    return this.scenario.kind === 'overlap' ? this.scenario.size + 1 : this.scenario.size;
  }

  private bodyOf({ rows, next, total, snapshot }: Page, url: URL): Record<string, unknown> {
    const { kind } = this.scenario;
    const nextUrl = next === null ? null : `/list?filter=all&cursor=${next}`;
    return {
      state: 'done',
      partial: false,
      timed_out: false,
      shards: { total: 3, successful: 3 },
      asked: url.searchParams.get('filter'),
      snapshot,
      total,
      items: rows,
      ...(kind === 'token' || kind === 'snapshot' ? { next, more: next !== null } : {}),
      ...(kind === 'url' ? { next: nextUrl } : {}),
      ...(kind === 'last-row' ? { more: next !== null } : {}),
    };
  }

  private faulty(fault: Fault, page: Page, url: URL, response: ServerResponse): void {
    const body = this.bodyOf(page, url);
    const json = (status: number, value: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    };
    const text = (value: string, type = 'application/json'): void => {
      response.writeHead(200, { 'content-type': type }).end(value);
    };
    const fewer = page.rows.slice(1);
    switch (fault) {
      case 'unavailable':
        return json(503, {});
      case 'forbidden':
        return json(403, {});
      case 'rate-limited':
        return json(429, {});
      case 'expired':
        return json(410, {});
      case 'html':
        return text('<html>sign in</html>', 'text/html');
      case 'cut-json':
        return text(JSON.stringify({ ...body, items: fewer }).slice(0, -3));
      case 'no-items':
        return json(200, { ...body, items: undefined });
      case 'row-without-id':
        return json(200, { ...body, items: [{ key: 'x', part: PART, state: 'open', into: null }] });
      case 'empty-body':
        return text('');
      case 'partial-flag':
        return json(200, { ...body, items: fewer, partial: true });
      case 'shards':
        return json(200, { ...body, items: fewer, shards: { total: 3, successful: 2 } });
      case 'flag-missing':
        return json(200, { ...body, items: fewer, partial: undefined });
      case 'timed-out-flag':
        return json(200, { ...body, items: fewer, timed_out: true });
      case 'repeated-page':
        return json(200, { ...body, items: this.lastRows.length > 0 ? this.lastRows : page.rows, partial: this.lastRows.length === 0 });
      case 'cycle':
        return json(200, { ...body, ...this.backTo(url), partial: this.backTo(url) === null });
      case 'off-origin':
        return json(200, {
          ...body,
          ...(this.scenario.kind === 'url' ? { next: 'http://elsewhere.example.org/list?cursor=1' } : { partial: true }),
        });
      case 'contradiction':
        return json(200, { ...body, ...this.contradiction(body) });
      case 'rows-left-out':
        return json(200, { ...body, items: fewer, partial: !this.scenario.total });
      case 'too-long':
        return json(200, { ...body, filler: 'x'.repeat(20_000) });
      case 'cut-connection': {
        const whole = JSON.stringify(body);
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(whole.length) });
        return void response.write(whole.slice(0, 20), () => response.destroy());
      }
      case 'duplicate-member':
        return text(JSON.stringify({ ...body, items: fewer }).replace('{', '{"items":[],'));
      case 'error-in-success':
        return json(200, { ...body, items: fewer, error: { code: 7 } });
      case 'swapped-rows':
        return json(200, { ...body, items: page.rows.length > 1 ? [...page.rows].reverse() : [], partial: page.rows.length < 2 });
      case 'row-again':
        return json(200, { ...body, items: [...page.rows, ...this.lastRows.slice(0, 1)], partial: this.lastRows.length === 0 });
      case 'other-snapshot':
        return json(200, {
          ...body,
          items: fewer,
          snapshot: '2',
          partial: this.scenario.kind !== 'snapshot' || url.searchParams.get('cursor') === null,
        });
      case 'field-missing':
        return json(200, { ...body, items: [...page.rows.slice(0, -1), { id: 7, part: PART, state: 'open', into: null }] });
      case 'half-agreement':
        return json(200, { ...body, items: [...fewer, { ...row(8), key: null, part: PART }] });
      case 'merged-away':
        return json(200, { ...body, items: [...fewer, { ...row(9), key: WANTED, part: PART, state: 'merged', into: '4' }] });
      case 'job-running':
        return json(200, { ...body, items: [], state: 'running' });
      case 'filter-ignored':
        return json(200, { ...body, items: fewer, asked: 'something else' });
    }
  }

  /** A cursor that leads back; null where the kind has none of its own. */
  private backTo(url: URL): { readonly next: string; readonly more?: boolean } | null {
    const { kind } = this.scenario;
    const cursor = url.searchParams.get('cursor');
    if (cursor === null) return null;
    if (kind === 'token' || kind === 'snapshot') return { next: cursor, more: true };
    return kind === 'url' ? { next: `/list?filter=all&cursor=${cursor}` } : null;
  }

  private contradiction(body: Readonly<Record<string, unknown>>): object {
    const { kind } = this.scenario;
    if (kind === 'last-row') return { more: 'perhaps' };
    if (kind === 'token' || kind === 'snapshot') return { more: !body['more'] };
    if (kind === 'url') return { next: { odd: true } };
    return { partial: 'perhaps' };
  }
}

/** A job that runs is still running when it is asked again. */
const isNow = (fault: NonNullable<Scenario['fault']>, at: number): boolean =>
  fault.at === at || (fault.what === 'job-running' && at > fault.at);

const row = (id: number): Row => ({ id, key: `other-${id}`, part: PART, state: 'open', into: null });

const sendPage = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
