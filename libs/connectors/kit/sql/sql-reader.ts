/**
 * Reads one table of PostgreSQL in one snapshot.
 * 1. An exact lookup is one statement: rows with the form asked for, and every irregular row of the scope. It needs both indexes, and a
 *    server whose normal forms agree with the core's; else the table is enumerated, and a remark says why.
 * 2. A lookup of more rows than its bound is read in pages, as an enumeration is.
 * 3. A read in pages goes on after the last id. Where that is not proven to miss nothing, each page but the first says `order-unproven`.
 */
import { normaliserText, type SourceRow } from '@lacuna/evidence';
import type { Clock, Secrets } from '../inputs.js';
import type { PostgresConnect } from '../register/connect.js';
import type { DocumentSource, RegisterDocument } from '../register/register-document.js';
import { sha256Hex } from '../sha256.js';
import type { AskedValues } from '../asked-values.js';
import type { Opened, ReadFailure, ReadOutcome, ReadRequest, RecordOutcome, Remarks, SourceReader } from '../source-reader.js';
import { rowProblem } from '../source-row.js';
import { hasLookupIndexes, INDEXES_SQL, type IndexRow } from './lookup-indexes.js';
import { idOrder, ORDER_SQL, type IdOrder, type OrderRow } from './order-proof.js';
import { pageReasons } from './page-reasons.js';
import type { PostgresConnections } from './postgres-connections.js';
import { SnapshotSession, type SnapshotFacts } from './snapshot-session.js';
import { sqlFailure } from './sql-failure.js';
import { normalFormDifferences, probeSql, probeValues, type Probe } from './sql-normal-form.js';
import {
  enumerationStatement,
  lookupStatement,
  pagedLookupStatement,
  recordStatement,
  tablePlan,
  type Statement,
  type TablePlan,
} from './table-sql.js';

export interface SqlReaderInputs {
  readonly register: RegisterDocument;
  readonly source: Pick<DocumentSource, 'method' | 'authority'>;
  readonly connect: PostgresConnect;
  readonly asked: AskedValues;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly elapsedMsMax: number;
  readonly connections: PostgresConnections;
}

type TableRow = Readonly<Record<string, string | null>>;

interface Open {
  readonly session: SnapshotSession;
  readonly facts: SnapshotFacts;
  readonly method: 'exact-lookup' | 'enumeration';
  /** Read in one statement, so that its end needs no order. */
  readonly atOnce: boolean;
  readonly order: IdOrder;
  readonly remarks: Remarks;
}

/** How long a lookup counts as having its indexes. */
const LOOKUP_READY_MS = 30_000;

/** A lookup of one statement has none and needs none. */
const NO_ORDER: IdOrder = { isProven: false, cursorType: null };

const failureOf = (reason: ReadFailure['reason'], detail: string): ReadFailure => ({
  type: 'failure',
  reason,
  detail,
  status: null,
  retryAfterMs: null,
});

export class SqlReader implements SourceReader {
  private readonly plan: TablePlan;
  private readonly asked: Readonly<Record<string, string>>;
  private session: SnapshotSession | null = null;
  private opened: Open | null = null;

  constructor(private readonly inputs: SqlReaderInputs) {
    this.plan = tablePlan(inputs.register, inputs.connect);
    this.asked = Object.fromEntries(Object.entries(inputs.asked).map(([name, { value }]) => [name, value]));
  }

  async open(signal: AbortSignal): Promise<Opened | ReadFailure> {
    const { connect, secrets, elapsedMsMax, connections } = this.inputs;
    const url = secrets(connect.url);
    if (url === null) return failureOf('source-unavailable', `${'env' in connect.url ? connect.url.env : connect.url.file} is not set`);
    try {
      this.session = await SnapshotSession.open(url, connections, elapsedMsMax, signal);
      this.opened = await this.prepare(this.session);
      return { type: 'opened', method: this.opened.method };
    } catch (error) {
      return sqlFailure(error, signal.aborted);
    }
  }

  async read(request: ReadRequest): Promise<ReadOutcome> {
    const open = this.openOrThrow();
    const startedAt = this.inputs.clock.now().toISOString();
    try {
      const statement = this.statementOf(open, request.cursor);
      const found = await open.session.rows<TableRow>(statement.text, statement.values);
      if (open.atOnce && found.length > this.inputs.connect.lookupRowsMax) {
        this.opened = await this.pagedLookupOf(open);
        return await this.read(request);
      }
      const endedAt = this.inputs.clock.now().toISOString();
      return this.page({ open, request, startedAt, endedAt, found });
    } catch (error) {
      return sqlFailure(error, request.signal.aborted);
    }
  }

  async readById(recordId: string, signal: AbortSignal): Promise<RecordOutcome> {
    const statement: Statement = recordStatement(this.plan, recordId);
    try {
      const found = await this.openOrThrow().session.rowsOrUndo<TableRow>(statement.text, statement.values);
      const [first] = found;
      if (!first) return { type: 'absent' };
      return found.length > 1 ? failureOf('response-invalid', 'several rows have that id') : this.recordOf(first);
    } catch (error) {
      return sqlFailure(error, signal.aborted);
    }
  }

  async close(): Promise<void> {
    const { session } = this;
    this.session = null;
    this.opened = null;
    await session?.close();
  }

  private openOrThrow(): Open {
    if (!this.opened) throw new Error('the reader is not open');
    return this.opened;
  }

  private statementOf({ method, atOnce, order }: Open, cursor: string | null): Statement {
    if (atOnce) return lookupStatement(this.plan, this.asked);
    const after = { id: cursor, type: order.cursorType };
    return method === 'exact-lookup'
      ? pagedLookupStatement(this.plan, this.asked, after)
      : enumerationStatement(this.plan, this.asked, after);
  }

  /** More rows than one statement may give: the same rows in pages, in the same snapshot. */
  private async pagedLookupOf(open: Open): Promise<Open> {
    const remarks = { ...open.remarks, paged_because: 'more rows than lookupRowsMax' };
    return { ...open, atOnce: false, order: await this.orderOf(open.session), remarks };
  }

  private async prepare(session: SnapshotSession): Promise<Open> {
    const { facts } = session;
    if (this.isReadyLookup(session)) return this.lookupOf(session, facts);
    const hindrance = this.inputs.source.method === 'exact-lookup' ? await this.lookupHindrance(session) : null;
    if (this.inputs.source.method === 'exact-lookup' && hindrance === null) {
      session.readyLookups.set(this.lookupKey(), performance.now() + LOOKUP_READY_MS);
      return this.lookupOf(session, facts);
    }
    return {
      session,
      facts,
      method: 'enumeration',
      atOnce: false,
      order: await this.orderOf(session),
      remarks: { in_recovery: facts.inRecovery, method: 'enumeration', ...(hindrance !== null && { no_lookup_because: hindrance }) },
    };
  }

  private async orderOf(session: SnapshotSession): Promise<IdOrder> {
    const { table, id } = this.inputs.connect;
    const [row] = await session.rows<OrderRow & Record<string, unknown>>(ORDER_SQL, [table.schema, table.name, id]);
    return idOrder(row);
  }

  /**
   * A lookup's one statement finds every row whatever indexes there are: they only make it cheap. So that they are there is looked up again
   * only after a while; an enumeration, whose order is evidence, looks in its own snapshot each time.
   */
  private isReadyLookup(session: SnapshotSession): boolean {
    return this.inputs.source.method === 'exact-lookup' && (session.readyLookups.get(this.lookupKey()) ?? 0) > performance.now();
  }

  private lookupOf(session: SnapshotSession, facts: SnapshotFacts): Open {
    return {
      session,
      facts,
      method: 'exact-lookup',
      atOnce: true,
      order: NO_ORDER,
      remarks: { in_recovery: facts.inRecovery, method: 'exact-lookup' },
    };
  }

  /** The statement without its values: the same for every question of a register's source. */
  private lookupKey(): string {
    return lookupStatement(this.plan, this.asked).text;
  }

  /** Why the table cannot be read by exact lookup; null when it can. */
  private async lookupHindrance(session: SnapshotSession): Promise<string | null> {
    if (this.plan.keys.length === 0) return 'no key has a normal form in SQL';
    const { table } = this.inputs.connect;
    const indexes = await session.rows<IndexRow & Record<string, unknown>>(INDEXES_SQL, [table.schema, table.name]);
    if (!hasLookupIndexes(this.plan, indexes)) return 'an index is missing or not valid';
    const forms = new Map(
      [...this.plan.keys, ...this.plan.scopes].map(({ normalise }) => [normalise.map(normaliserText).join(', '), normalise]),
    );
    for (const [form, normalise] of forms) {
      if (session.agreedForms.has(form)) continue;
      const probes = await session.rows<Probe & Record<string, unknown>>(probeSql(normalise), [probeValues()]);
      const isWhole = probes.length === probeValues().length;
      if (!isWhole || normalFormDifferences(normalise, probes).length > 0) return 'the server normalises otherwise';
      session.agreedForms.add(form);
    }
    return null;
  }

  private page({ open, request, startedAt, endedAt, found }: PageInput): ReadOutcome {
    const { method, atOnce, facts, order, remarks } = open;
    const rowsMax = atOnce ? this.inputs.connect.lookupRowsMax : this.inputs.connect.pageSize;
    const rows = found.slice(0, rowsMax).map((row) => this.rowOf(row));
    const problem = rows.map(rowProblem).find((each) => each !== null);
    if (problem) return failureOf('response-invalid', problem);
    const body = Buffer.from(JSON.stringify(found.slice(0, rowsMax)));
    if (body.length > request.bytesMax) return failureOf('budget-bytes', 'the rows are longer than what the budget leaves');
    const more = found.length > rowsMax;
    const last = rows.at(-1)?.recordId;
    const next = more && !atOnce && last !== undefined ? { cursor: last, fingerprint: sha256Hex(last) } : null;
    const { authority } = this.inputs.source;
    const reasons = pageReasons({
      atOnce,
      more,
      isFirst: request.cursor === null,
      orderProven: order.isProven,
      inRecovery: facts.inRecovery,
      authority,
    });
    return {
      type: 'page',
      rows,
      observed: { bytes: body.length, end: more ? 'continues' : 'signalled', total: null, snapshot: facts.snapshot, reasons },
      next,
      requestFingerprint: sha256Hex(this.requestText(method, request.cursor)),
      cursorFingerprint: request.cursor === null ? null : sha256Hex(request.cursor),
      bodySha256: sha256Hex(body),
      startedAt,
      endedAt,
      status: null,
      remarks,
    };
  }

  /** No connection and no personal value. */
  private requestText(method: string, cursor: string | null): string {
    const asked = Object.entries(this.inputs.asked).map(([name, { value, personal }]) => [name, personal ? null : value]);
    return JSON.stringify([method, this.plan.table, asked, cursor]);
  }

  private recordOf(found: TableRow): RecordOutcome {
    const row = this.rowOf(found);
    const problem = rowProblem(row);
    return problem === null ? { type: 'record', row } : failureOf('response-invalid', problem);
  }

  private rowOf(found: TableRow): SourceRow {
    const fields = Object.keys(this.inputs.connect.fields).sort();
    return {
      recordId: found['id'] ?? '',
      version: found['version'] ?? null,
      status: found['status'] ?? null,
      followedTo: found['follow_to'] ?? null,
      values: Object.fromEntries(fields.map((name, at) => [name, found[`field_${at}`] ?? null])),
    };
  }
}

interface PageInput {
  readonly open: Open;
  readonly request: ReadRequest;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly found: readonly TableRow[];
}
