/** Authorisations, permits, answers, and the latest match seen of a key. SQL only; `tx` acts for the tenant. */
import type { ExceptionGranted } from '@lacuna/events';
import type { Transaction } from '@lacuna/messaging';
import type { GrantedWrite, Settlement } from './write-answers.js';
import { attemptKey, keyName, type OpenAuthorisation, type WriteDesk } from './write-desk.js';
import type { WriteKey } from './write-key.js';

const HOUR_MS = 3_600_000;
/** A match seen longer ago says nothing: no receipt is fresh for as long. */
const MATCH_SEEN_KEPT_MS = 7 * 24 * HOUR_MS;
const FORGOTTEN_MAX = 100;

interface OpenRow {
  readonly authorisation_id: string;
  readonly question_id: string;
  readonly target: string;
  readonly key_digest: string;
  readonly payload_hash: string;
  readonly state: OpenAuthorisation['state'];
  readonly generation: number;
  readonly seen_to: Date | null;
  readonly decided_at: Date;
  readonly stale_reruns: number;
  readonly approver: string | null;
  readonly expires_at: Date;
}

/** Those of these keys that are not over, whoever's question; locked, so that one is not used while another batch ends it. */
export async function openAuthorisations(tx: Transaction, tenantId: string, keys: readonly WriteKey[]): Promise<OpenAuthorisation[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<OpenRow>(
    `select a.authorisation_id, a.question_id, a.target, a.key_digest, a.payload_hash, a.state, a.generation, a.seen_to, a.decided_at,
            a.stale_reruns, a.approver, a.expires_at
       from authorisation a join unnest($2::text[], $3::text[]) as k (target, key_digest) using (target, key_digest)
      where a.tenant_id = $1 and a.state not in ('used', 'ended') order by a.authorisation_id for update of a`,
    [tenantId, keys.map(({ target }) => target), keys.map(({ keyDigest }) => keyDigest)],
  );
  return rows.map((row) => ({
    authorisationId: row.authorisation_id,
    questionId: row.question_id,
    target: row.target,
    keyDigest: row.key_digest,
    payloadHash: row.payload_hash,
    state: row.state,
    generation: row.generation,
    seenToMs: row.seen_to?.getTime() ?? null,
    decidedAtMs: row.decided_at.getTime(),
    staleReruns: row.stale_reruns,
    approver: row.approver,
    expiresAtMs: row.expires_at.getTime(),
  }));
}

/** What the desk asked of people, and what it changed. */
export async function keepAuthorisations(tx: Transaction, tenantId: string, desk: WriteDesk, now: Date): Promise<void> {
  const added = desk.requested.map(({ attempt, authorisation }) => ({ ...authorisation, policy: attempt.register.policy }));
  if (added.length > 0)
    await tx.query(
      `insert into authorisation (tenant_id, authorisation_id, question_id, policy, target, key_digest, payload_hash, state, generation,
         seen_to, decided_at, stale_reruns, approver, expires_at, created_at)
       select $1, a."authorisationId", a."questionId", a.policy, a.target, a."keyDigest", a."payloadHash", a.state, a.generation,
         to_timestamp(a."seenToMs" / 1000.0), to_timestamp(a."decidedAtMs" / 1000.0), a."staleReruns", a.approver,
         to_timestamp(a."expiresAtMs" / 1000.0), $3
         from jsonb_to_recordset($2::jsonb) as a ("authorisationId" text, "questionId" text, policy text, target text, "keyDigest" text,
           "payloadHash" text, state text, generation int, "seenToMs" numeric, "decidedAtMs" numeric, "staleReruns" int, approver text,
           "expiresAtMs" numeric)`,
      [tenantId, JSON.stringify(added), now],
    );
  const changed = [...desk.changed].filter(
    (authorisation) => !added.some(({ authorisationId }) => authorisationId === authorisation.authorisationId),
  );
  if (changed.length === 0) return;
  await tx.query(
    `update authorisation a set state = c.state, generation = c.generation, seen_to = to_timestamp(c."seenToMs" / 1000.0),
            decided_at = to_timestamp(c."decidedAtMs" / 1000.0), stale_reruns = c."staleReruns", approver = c.approver
       from jsonb_to_recordset($2::jsonb) as c ("authorisationId" text, state text, generation int, "seenToMs" numeric,
         "decidedAtMs" numeric, "staleReruns" int, approver text)
      where a.tenant_id = $1 and a.authorisation_id = c."authorisationId"`,
    [tenantId, JSON.stringify(changed)],
  );
}

/** The generations of these questions that have their answer. */
export async function answeredOf(tx: Transaction, tenantId: string, questionIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ question_id: string; generation: number }>(
    'select question_id, generation from answer where tenant_id = $1 and question_id = any ($2::text[])',
    [tenantId, [...new Set(questionIds)]],
  );
  return new Set(rows.map((row) => attemptKey({ questionId: row.question_id, generation: row.generation })));
}

/** By key: up to which moment a match of it was seen, ms. */
export async function matchesSeenTo(tx: Transaction, tenantId: string, keys: readonly WriteKey[]): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.query<{ target: string; key_digest: string; match_seen_to: Date }>(
    `select target, key_digest, match_seen_to from key_evidence
       join unnest($2::text[], $3::text[]) as k (target, key_digest) using (target, key_digest) where tenant_id = $1`,
    [tenantId, keys.map(({ target }) => target), keys.map(({ keyDigest }) => keyDigest)],
  );
  return new Map(rows.map((row) => [keyName(row.target, row.key_digest), row.match_seen_to.getTime()]));
}

export async function keepMatchesSeen(
  tx: Transaction,
  tenantId: string,
  seen: readonly { readonly target: string; readonly keyDigest: string; readonly seenToMs: number }[],
  now: Date,
): Promise<void> {
  if (seen.length === 0) return;
  await tx.query(
    `insert into key_evidence (tenant_id, target, key_digest, match_seen_to, at)
     select $1, s.target, s.key_digest, s.seen_to, $5 from unnest($2::text[], $3::text[], $4::timestamptz[]) as s (target, key_digest, seen_to)
     on conflict (tenant_id, target, key_digest) do update
       set match_seen_to = greatest(key_evidence.match_seen_to, excluded.match_seen_to), at = excluded.at`,
    [
      tenantId,
      seen.map(({ target }) => target),
      seen.map(({ keyDigest }) => keyDigest),
      seen.map(({ seenToMs }) => new Date(Math.min(seenToMs, now.getTime()))),
      now,
    ],
  );
  await tx.query(
    `delete from key_evidence where (tenant_id, target, key_digest) in (
       select tenant_id, target, key_digest from key_evidence where tenant_id = $1 and at < $2 limit $3 for update skip locked)`,
    [tenantId, new Date(now.getTime() - MATCH_SEEN_KEPT_MS), FORGOTTEN_MAX],
  );
}

/** Permits of the last hour for these targets; of one target at a time, so that two batches do not both take the last. */
export async function permitsOfHour(
  tx: Transaction,
  tenantId: string,
  targets: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  if (targets.length === 0) return new Map();
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest($1::text[]) as t (name) order by hashtextextended(name, 0)`,
    [targets.map((target) => `write-guard permits of ${tenantId} ${target}`)],
  );
  const rows = await tx.query<{ target: string; permits: number }>(
    `select a.target, count(*)::int as permits from permit p join authorisation a using (tenant_id, authorisation_id)
      where p.tenant_id = $1 and p.granted_at > $3 and a.target = any ($2::text[]) group by a.target`,
    [tenantId, targets, new Date(now.getTime() - HOUR_MS)],
  );
  return new Map(rows.map(({ target, permits }) => [target, permits]));
}

export async function grant(tx: Transaction, tenantId: string, writes: readonly GrantedWrite[], now: Date): Promise<void> {
  if (writes.length === 0) return;
  const made = writes.flatMap((write) => (write.policy === null ? [] : [{ ...write, policy: write.policy }]));
  await tx.query(
    `insert into authorisation (tenant_id, authorisation_id, question_id, policy, target, key_digest, payload_hash, state, generation, expires_at, created_at)
     select $1, a.authorisation_id, a.question_id, a.policy, a.target, a.key_digest, a.payload_hash, 'used', a.generation, a.expires_at, $9
       from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::timestamptz[], $10::text[])
         as a (authorisation_id, question_id, target, key_digest, payload_hash, generation, expires_at, policy)`,
    [
      tenantId,
      made.map((write) => write.authorisationId),
      made.map((write) => write.questionId),
      made.map((write) => write.target),
      made.map((write) => write.keyDigest),
      made.map((write) => write.payloadHash),
      made.map((write) => write.generation),
      made.map((write) => write.expiresAt),
      now,
      made.map(({ policy }) => policy),
    ],
  );
  await tx.query(
    `insert into permit (tenant_id, permit_id, authorisation_id, question_id, generation, receipt_hash, granted_at)
     select $1, p.permit_id, p.authorisation_id, p.question_id, p.generation, p.receipt_hash, $7
       from unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::text[]) as p (permit_id, authorisation_id, question_id, generation, receipt_hash)`,
    [
      tenantId,
      writes.map((write) => write.permitId),
      writes.map((write) => write.authorisationId),
      writes.map((write) => write.questionId),
      writes.map((write) => write.generation),
      writes.map((write) => write.receiptHash),
      now,
    ],
  );
}

/** How often it was not known what came of a send of this question. */
export async function unknownAnswersOf(tx: Transaction, tenantId: string, questionId: string): Promise<number> {
  const [row] = await tx.query<{ unknowns: number }>(
    `select count(*)::int as unknowns from answer where tenant_id = $1 and question_id = $2 and answer = 'unknown'`,
    [tenantId, questionId],
  );
  return row?.unknowns ?? 0;
}

export async function keepAnswers(tx: Transaction, tenantId: string, settlements: readonly Settlement[], now: Date): Promise<void> {
  if (settlements.length === 0) return;
  const excepted = settlements.filter(({ byException }) => byException);
  if (excepted.length > 0) await reopenRefused(tx, tenantId, excepted);
  await tx.query(
    `insert into answer (tenant_id, question_id, generation, answer, record_id, reason, at)
     select $1, a.question_id, a.generation, a.answer, a.record_id, a.reason, $7
       from unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::text[]) as a (question_id, generation, answer, record_id, reason)
     on conflict (tenant_id, question_id, generation) do update
       set answer = excluded.answer, record_id = excluded.record_id, reason = excluded.reason, at = excluded.at
       where answer.answer in ('asked-again', 'sending')`,
    [
      tenantId,
      settlements.map((settlement) => settlement.questionId),
      settlements.map((settlement) => settlement.generation),
      settlements.map((settlement) => settlement.answer),
      settlements.map((settlement) => settlement.recordId),
      settlements.map((settlement) => settlement.reason),
      now,
    ],
  );
}

/** An exception is a further attempt of a generation whose first was refused. */
async function reopenRefused(tx: Transaction, tenantId: string, excepted: readonly Settlement[]): Promise<void> {
  await tx.query(
    `update answer a set answer = 'asked-again' from unnest($2::text[], $3::int[]) as e (question_id, generation)
      where a.tenant_id = $1 and a.question_id = e.question_id and a.generation = e.generation and a.answer = 'refused'`,
    [tenantId, excepted.map(({ questionId }) => questionId), excepted.map(({ generation }) => generation)],
  );
}

/** An exception that was looked at is over, whatever came of it. */
export async function isExceptionOver(tx: Transaction, tenantId: string, exceptionId: string): Promise<boolean> {
  return (await tx.query('select from authorisation where tenant_id = $1 and authorisation_id = $2', [tenantId, exceptionId])).length > 0;
}

/** One that led to no permit; nothing where it did. */
export async function endException(tx: Transaction, tenantId: string, exception: ExceptionGranted, now: Date): Promise<void> {
  const { exceptionId, questionId, payloadHash, generation, expiresAt } = exception;
  await tx.query(
    `insert into authorisation (tenant_id, authorisation_id, question_id, policy, target, key_digest, payload_hash, state, generation, expires_at, created_at)
     values ($1, $2, $3, 'exception', '', '', $4, 'ended', $5, $6, $7) on conflict (tenant_id, authorisation_id) do nothing`,
    [tenantId, exceptionId, questionId, payloadHash, generation, expiresAt, now],
  );
}
