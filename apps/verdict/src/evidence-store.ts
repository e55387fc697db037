/** The stored events of generations: what a verdict is reached from. SQL only; the caller's transaction acts for the tenant. */
import { definitionOf, events as catalogue } from '@lacuna/events';
import type { ReceivedEvent, Transaction } from '@lacuna/messaging';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';

/** One event of one generation, with the order in which the log had it. */
export interface EvidenceEvent {
  readonly questionId: string;
  readonly generation: number;
  readonly id: string;
  readonly type: string;
  readonly position: bigint;
  readonly data: object;
  /** The same natural key came with other content: the generation does not add up. */
  readonly conflicting: boolean;
}

export interface GenerationKey {
  readonly questionId: string;
  readonly generation: number;
}

export const generationKey = ({ questionId, generation }: GenerationKey): string => JSON.stringify([questionId, generation]);

const EVIDENCE: ReadonlySet<string> = new Set([catalogue.searchStarted.type, catalogue.pageRead.type, catalogue.searchEnded.type]);

/**
 * Keeps the events that come up to their generation's first `search.ended`; a repetition changes nothing, and one with other
 * content marks the event as conflicting. What comes later is ignored, in the same batch or in another.
 */
export async function keepEvidence(tx: Transaction, tenantId: string, events: readonly ReceivedEvent[]): Promise<void> {
  const rows = once(untilEnd(events.filter((event) => EVIDENCE.has(event.type))).map(rowOf));
  if (rows.length === 0) return;
  await tx.query(
    `insert into evidence as kept (tenant_id, question_id, generation, event_id, type, position, data, data_sha256, conflicting)
     select $1, e.question_id, e.generation, e.event_id, e.type, e.position::numeric, e.data::json, e.data_sha256, e.conflicting
       from unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[])
         as e (question_id, generation, event_id, type, position, data, data_sha256, conflicting)
      where not exists (select from generation g
                         where g.tenant_id = $1 and g.question_id = e.question_id and g.generation = e.generation)
      order by e.question_id, e.generation, e.event_id
     on conflict (tenant_id, question_id, generation, event_id, type) do update set conflicting = true
      where kept.data_sha256 <> excluded.data_sha256 or excluded.conflicting`,
    [
      tenantId,
      rows.map((row) => row.questionId),
      rows.map((row) => row.generation),
      rows.map((row) => row.id),
      rows.map((row) => row.type),
      rows.map((row) => row.position),
      rows.map((row) => row.data),
      rows.map((row) => row.sha256),
      rows.map((row) => row.conflicting),
    ],
  );
}

/** The events of these generations, each generation's in log order. */
export async function evidenceOf(tx: Transaction, tenantId: string, keys: readonly GenerationKey[]): Promise<EvidenceEvent[]> {
  const distinct = [...new Map(keys.map((key) => [generationKey(key), key])).values()];
  const rows = await tx.query<{
    question_id: string;
    generation: number;
    event_id: string;
    type: string;
    position: string;
    data: object;
    conflicting: boolean;
  }>(
    `select e.question_id, e.generation, e.event_id, e.type, e.position::text as position, e.data, e.conflicting
       from evidence e join unnest($2::text[], $3::int[]) as k (question_id, generation) using (question_id, generation)
      where e.tenant_id = $1 order by e.question_id, e.generation, e.position`,
    [tenantId, distinct.map((key) => key.questionId), distinct.map((key) => key.generation)],
  );
  return rows.map((row) => ({
    questionId: row.question_id,
    generation: row.generation,
    id: row.event_id,
    type: row.type,
    position: BigInt(row.position),
    data: row.data,
    conflicting: row.conflicting,
  }));
}

/** How a batch is cut must not show: what follows an end is dropped here too. */
function untilEnd(events: readonly ReceivedEvent[]): ReceivedEvent[] {
  const ended = new Set<string>();
  return events.filter((event) => {
    const key = generationKey(event.data as GenerationKey);
    if (ended.has(key)) return false;
    if (event.type === catalogue.searchEnded.type) ended.add(key);
    return true;
  });
}

interface Row {
  questionId: string;
  generation: number;
  id: string;
  type: string;
  position: string;
  data: string;
  sha256: string;
  conflicting: boolean;
}

function rowOf(event: ReceivedEvent): Row {
  const { questionId, generation } = event.data as GenerationKey;
  const data = JSON.stringify(event.data);
  return {
    questionId,
    generation,
    id: definitionOf(event.type)?.id(event.data) ?? event.id,
    type: event.type,
    position: event.offset.toString(),
    data,
    sha256: sha256Hex(canonicalJson(JSON.parse(data))),
    conflicting: false,
  };
}

/** One statement may not touch a row twice: repetitions inside the batch are folded first. */
function once(rows: readonly Row[]): Row[] {
  const kept = new Map<string, Row>();
  for (const row of rows) {
    const key = JSON.stringify([row.questionId, row.generation, row.type, row.id]);
    const first = kept.get(key);
    if (!first) kept.set(key, row);
    else if (first.sha256 !== row.sha256) first.conflicting = true;
  }
  return [...kept.values()];
}
