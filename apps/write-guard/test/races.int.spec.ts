/** W1 and W4 under a race, and that the race tells a guard that holds from guards that do not. */
import { afterEach, describe, expect, it } from 'vitest';
import { CheckThenInsert, CheckThenReuse, InsertUnionSelect, NaiveSlot1900000000000 } from './naive-slots.js';
import { answersBy, openRace, race, type RaceCheck, raceProblems, writeGuardWith } from './race.js';
import type { WriteGuardBench } from './running-write-guard.js';

const RACE_MS_MAX = 180_000;

let bench: WriteGuardBench;
afterEach(() => bench.close());

const count = async (table: string) => (await bench.rows(`select tenant_id from ${table}`)).length;

describe('32 askers at once for each of 300 keys', { timeout: RACE_MS_MAX }, () => {
  it('get exactly one record per key, and everybody is answered: 300 created, 9,300 exists', async () => {
    bench = await openRace();
    const outcome = await race(bench, { keys: 300, racers: 32 });
    const told = answersBy(outcome.answers, ({ answer }) => answer);
    console.log(`race: ${outcome.answers.length} answers in ${Math.round(outcome.elapsedMs)} ms`);
    expect(raceProblems(outcome)).toEqual({});
    expect([told.get('created')?.length, told.get('exists')?.length]).toEqual([300, 9_300]);
    for (const table of ['slot', 'record', 'permit', 'authorisation']) expect(await count(table), table).toBe(300);
  });
});

describe('32 askers at once for each of 150 keys whose records are closed', { timeout: RACE_MS_MAX }, () => {
  it('use each slot again once: fails when two that saw the same closed record both replace it', async () => {
    bench = await openRace();
    const outcome = await race(bench, { keys: 150, racers: 32, reused: true });
    const told = answersBy(outcome.answers, ({ answer }) => answer);
    console.log(`race for reused keys: ${outcome.answers.length} answers in ${Math.round(outcome.elapsedMs)} ms`);
    expect(raceProblems(outcome)).toEqual({});
    expect([told.get('created')?.length, told.get('exists')?.length]).toEqual([150, 4_650]);
    expect([await count('slot'), await count('record'), await count('permit')]).toEqual([150, 300, 300]);
    expect(await bench.rows('select distinct uses from slot')).toEqual([{ uses: 2 }]);
  });

  it('is told from a guard that looks whether the record is closed, and then replaces what there is', async () => {
    bench = await openRace(writeGuardWith(new CheckThenReuse()));
    const problems = raceProblems(await race(bench, { keys: 40, racers: 32, reused: true }));
    console.log(`a guard that checks, then reuses is caught by: ${Object.keys(problems).join(', ')}`);
    expect(Object.keys(problems)).toContain('one created');
  });
});

describe('the same race, smaller, through a guard that', { timeout: RACE_MS_MAX }, () => {
  const controls = [
    ['checks, then inserts', () => writeGuardWith(new CheckThenInsert(), [NaiveSlot1900000000000]), 'one created'],
    ['inserts and selects in one statement', () => writeGuardWith(new InsertUnionSelect()), 'others exist'],
  ] as const satisfies readonly (readonly [string, () => Parameters<typeof openRace>[0], RaceCheck])[];

  it.each(controls)('%s is caught: else the race above would prove nothing', async (name, definition, check) => {
    bench = await openRace(definition());
    const problems = raceProblems(await race(bench, { keys: 60, racers: 32 }));
    console.log(
      `a guard that ${name} is caught by: ${Object.entries(problems)
        .map((found) => found.join(': '))
        .join('; ')}`,
    );
    expect(Object.keys(problems)).toContain(check);
  });
});
