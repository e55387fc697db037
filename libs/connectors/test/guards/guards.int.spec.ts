/**
 * Each guard switched off by itself, and the walks that then fail: a guard without any is one that nobody would miss. The table is
 * docs/evidence/guards.md. UPDATE_GUARDS=1 runs all walks for each guard and writes it anew (some minutes), UPDATE_GUARDS=new for those that
 * it lacks; else the walks that it names are run.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { afterAll, describe, expect, it } from 'vitest';
import { guards, type Guard } from './guards.js';
import { SwitchedOff, type FailedWalk } from './switched-off.js';

const LANES = 2;
const NAMED_MAX = 3;
const page = new URL('../../../../docs/evidence/guards.md', import.meta.url);
const folder = fileURLToPath(new URL(`../../../../.lacuna/guards-${process.pid}/`, import.meta.url));
mkdirSync(folder, { recursive: true });
const lanes = Array.from({ length: LANES }, (_, at) => new SwitchedOff(`${folder}${at}`));
afterAll(() => lanes.forEach((lane) => lane.remove()));

interface Row {
  readonly guard: Guard;
  readonly failed: readonly FailedWalk[];
}

/** A no-match that is not supported, first; it is the worst that can come of it. */
const isUnsupported = ({ verdict, expected }: FailedWalk): boolean => verdict === 'scoped-no-match' && expected !== 'scoped-no-match';
const worstFirst = (failed: readonly FailedWalk[]): readonly FailedWalk[] => [
  ...failed.filter(isUnsupported),
  ...failed.filter((each) => !isUnsupported(each)),
];

const lineOf = ({ guard, failed }: Row): string => {
  const named = worstFirst(failed).slice(0, NAMED_MAX);
  const unsupported = failed.filter(isUnsupported).length;
  return `| ${guard.name} | ${guard.against} | ${failed.length} | ${unsupported} | ${named.map(({ file }) => file).join(', ')} |`;
};

const pageOf = (lines: readonly string[]): string => {
  return `# What each guard is missed by

Each guard of the core and of the HTTP engine is switched off by itself, in a build that is made for the test alone; the product has no switch.
Then all walk files are run. _Fail_: walks that give something else than they should. _No-match_: those of them that give an unsupported
\`scoped-no-match\`. Some are named; a test runs these each time, and \`UPDATE_GUARDS=1 npx vitest run --project int libs/connectors/test/guards\`
writes this page.

| guard | keeps from | fail | no-match | walks, the worst first |
| --- | --- | --- | --- | --- |
${lines.join('\n')}
`;
};

/** Rows of the page that name a walk, by guard. */
const rowsOf = (text: string): Map<string, string> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [, name, , fail, , walks] = line.split('|').map((cell) => cell.trim());
      return name === undefined || !/^\d+$/.test(fail ?? '') || !walks ? [] : [[name, line] as const];
    }),
  );

const namedIn = (text: string): ReadonlyMap<string, readonly string[]> =>
  new Map([...rowsOf(text)].map(([name, line]) => [name, (line.split('|')[5] ?? '').trim().split(', ')] as const));

/** Every guard in turn, on as many builds as there are lanes. */
const eachSwitchedOff = async (which: readonly Guard[], filesOf: (guard: Guard) => readonly string[]): Promise<readonly Row[]> => {
  const waiting = [...which];
  const rows: Row[] = [];
  const work = async (lane: SwitchedOff): Promise<void> => {
    for (let guard = waiting.shift(); guard !== undefined; guard = waiting.shift())
      rows.push({ guard, failed: await lane.failedWalks(guard, filesOf(guard)) });
  };
  await Promise.all(lanes.map(work));
  return rows.sort((one, other) => guards.indexOf(one.guard) - guards.indexOf(other.guard));
};

describe('every guard', () => {
  it('is one of its name', () => {
    expect(new Set(guards.map(({ name }) => name)).size).toBe(guards.length);
  });

  it('is on in the build that the others are compared with', async () => {
    expect(await lanes[0]?.failedWalks(null)).toEqual([]);
  });

  // Fails if a guard can be taken away and nothing notices.
  it('is missed by the walks that the page names when it is switched off', async () => {
    if (process.env['UPDATE_GUARDS']) {
      const known = process.env['UPDATE_GUARDS'] === 'new' ? rowsOf(readFileSync(page, 'utf8')) : new Map<string, string>();
      const rows = await eachSwitchedOff(
        guards.filter(({ name }) => !known.has(name)),
        () => [],
      );
      for (const row of rows) known.set(row.guard.name, lineOf(row));
      const lines = guards.map(({ name }) => known.get(name) ?? '');
      writeFileSync(page, await format(pageOf(lines), { ...(await resolveConfig(page)), parser: 'markdown' }));
    }
    const named = namedIn(readFileSync(page, 'utf8'));
    expect([...named.keys()]).toEqual(guards.map(({ name }) => name));
    const rows = await eachSwitchedOff(guards, (guard) => named.get(guard.name) ?? []);
    const missed = rows.filter(({ guard, failed }) => failed.length < (named.get(guard.name)?.length ?? 1));
    expect(missed.map(({ guard, failed }) => `${guard.name}: ${failed.length} fail`)).toEqual([]);
  }, 1_800_000);
});
