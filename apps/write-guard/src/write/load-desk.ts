/** What a batch's happenings are judged over: the questions, their keys' open authorisations and those of other questions on the same keys. */
import type { Register } from '@lacuna/evidence';
import type { Transaction } from '@lacuna/messaging';
import { registerVersions } from '@lacuna/postgres';
import { answeredOf, openAuthorisations, matchesSeenTo, permitsOfHour } from './authorisation-store.js';
import { lockQuestions, wantedQuestions } from './question-store.js';
import { keyName, type WantedQuestion, WriteDesk } from './write-desk.js';
import { type WriteKey, writeKeyOf } from './write-key.js';

export interface LoadedDesk {
  readonly desk: WriteDesk;
  readonly questions: ReadonlyMap<string, WantedQuestion>;
}

export async function loadDesk(tx: Transaction, tenantId: string, questionIds: readonly string[], now: Date): Promise<LoadedDesk> {
  await lockQuestions(tx, tenantId, questionIds);
  const asked = await wantedQuestions(tx, tenantId, questionIds);
  const ofAsked = await registersOf(tx, tenantId, asked);
  const keys = keysOf(asked, ofAsked);
  const authorisations = await openAuthorisations(tx, tenantId, keys);
  const elsewhere = authorisations.map(({ questionId }) => questionId).filter((questionId) => !asked.has(questionId));
  const all = new Map([...asked, ...(await wantedQuestions(tx, tenantId, elsewhere))]);
  const registers = elsewhere.length > 0 ? await registersOf(tx, tenantId, all) : ofAsked;
  const targets = [
    ...new Set([...registers.values()].flatMap(({ target, authorisation }) => (target && authorisation?.perHourMax ? [target.name] : []))),
  ];
  const desk = new WriteDesk({
    nowMs: now.getTime(),
    registers,
    questions: all,
    authorisations,
    answered: await answeredOf(tx, tenantId, questionIds),
    matchesSeenToMs: await matchesSeenTo(tx, tenantId, keys),
    permitsOfHour: await permitsOfHour(tx, tenantId, targets, now),
  });
  return { desk, questions: all };
}

/** Of the versions that were asked, and of those that the newest verdicts speak of: these differ only where a register changed. */
async function registersOf(
  tx: Transaction,
  tenantId: string,
  questions: ReadonlyMap<string, WantedQuestion>,
): Promise<ReadonlyMap<string, Register>> {
  const hashes = [...questions.values()].flatMap(({ asked, newest }) => [asked.registerHash, ...(newest ? [newest.registerHash] : [])]);
  return registerVersions<Register>(tx, tenantId, [...new Set(hashes)]);
}

function keysOf(questions: ReadonlyMap<string, WantedQuestion>, registers: ReadonlyMap<string, Register>): WriteKey[] {
  const keys = new Map<string, WriteKey>();
  for (const { asked } of questions.values()) {
    const register = registers.get(asked.registerHash);
    if (!register?.target) continue;
    const key = writeKeyOf(register, asked);
    if (key.isComplete) keys.set(keyName(key.target, key.keyDigest), key);
  }
  return [...keys.values()];
}
