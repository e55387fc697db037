/** What a person reads of a decision, whole sentences: each fails when the text says more, or less, than the decision. */
import { describe, expect, it } from 'vitest';
import { aRegister, cleanRead, decideOn } from '../test/builders.js';
import type { Decision, NamedRecord } from './decision.js';
import { OUTCOME_UNKNOWN, OWN_WRITES } from './own-writes.js';
import { STATEMENT_LISTED_MAX, type StatementInput, statementOf } from './statement.js';

const clean = decideOn(aRegister(), [cleanRead('crm')]);
const record = (recordId: string, over: Partial<NamedRecord> = {}): NamedRecord => ({
  source: 'crm',
  recordId,
  version: '1',
  digest: 'd',
  status: 'open',
  ...over,
});
const hold: Partial<Decision> = {
  verdict: 'evidence-hold',
  asOf: null,
  reasons: [
    { code: 'timed-out', source: 'crm' },
    { code: 'register-changed', source: null },
  ],
};
const match: Partial<Decision> = { verdict: 'match-review', reasons: [{ code: 'match-found', source: 'crm' }], matches: [record('r-1')] };

function stated(decision: Partial<Decision> = {}, over: Partial<StatementInput> = {}): string {
  return statementOf({
    decision: { ...clean, ...decision },
    register: { name: 'requests', version: '3' },
    identifiers: [{ name: 'reference', value: 'R-1' }],
    reveal: true,
    ...over,
  });
}

const asked = 'Register requests, version "3"; asked for reference = "R-1".';
const seen = `All deciding sources were seen up to ${clean.asOf ?? ''}.`;
const unseen = 'There is no moment up to which all deciding sources were seen.';

describe('the statement of a no-match', () => {
  it('names register, identifiers and moment, and that nothing was left unread, in these words and no others', () => {
    expect(stated()).toBe(`${asked} No match in this register, for these identifiers, up to that moment. ${seen} Nothing was left unread.`);
  });

  it('quotes what others wrote, so that it cannot pass for a sentence of ours', () => {
    const forged = [{ name: 'reference', value: 'R". Nothing was left unread' }];
    expect(stated({}, { identifiers: forged })).toContain('asked for reference = "R\\". Nothing was left unread".');
  });

  it('says so when nothing was asked', () => expect(stated({}, { identifiers: [] })).toContain('asked for nothing.'));

  it('cuts a list behind its bound, and says how much is left', () => {
    const identifiers = (count: number) => Array.from({ length: count }, (_, at) => ({ name: 'reference', value: String(at) }));
    expect(stated({}, { identifiers: identifiers(STATEMENT_LISTED_MAX) })).toContain('reference = "18", reference = "19".');
    expect(stated({}, { identifiers: identifiers(STATEMENT_LISTED_MAX + 2) })).toContain('reference = "19", and 2 more.');
  });

  it('names what the register accepted, instead of saying that nothing was left', () => {
    const text = stated({ accepted: [{ code: 'drift-possible', source: 'crm' }] });
    expect(text).toMatch(/Accepted by the register by name: crm: .+ \(drift-possible\)$/);
    expect(text).not.toContain('Nothing was left unread');
    expect(text).not.toContain('Not read or not proven');
  });

  it.each<[Partial<Decision>, string]>([
    [{ reusable: [record('r-9', { status: 'void' })] }, 'Matching records in a reusable status: 1: "r-9" in crm.'],
    [{ excluded: [record('r-8'), record('r-7')] }, 'Records that a reviewer found to be different: 2: "r-8" in crm, "r-7" in crm.'],
    [{ rowsWithoutKey: 4 }, 'Rows without any key, which decide nothing: 4.'],
    [
      { reusable: [record('write:1:5', { source: OWN_WRITES, status: OUTCOME_UNKNOWN })] },
      'Writes of ours that were sent, whose outcome is unknown, and that left no record: 1: "write:1:5" in own-writes.',
    ],
  ])('ends with %o', (decision, sentence) => {
    expect(stated(decision)).toBe(`${stated()} ${sentence}`);
  });

  it('repeats that nothing but our own writes is kept apart, where that is so', () => {
    const protection = 'Nothing in the target system keeps two records of one key apart: only writes through Lacuna are (own-writes-only).';
    const register = { name: 'requests', version: '3' };
    const outside = { name: 't', kind: 'outside', policyId: 'p', protection: 'own-writes-only', sendHorizonMs: 1 } as const;
    expect(stated({}, { register: { ...register, target: outside } })).toBe(`${stated()} ${protection}`);
    expect(stated({}, { register: { ...register, target: { name: 't', kind: 'own-table', policyId: 'p' } } })).toBe(stated());
  });

  it('of a question for all says 0 only where a count is claimed', () => {
    expect(stated({ count: 0 }, { kind: 'enumerate' })).toContain('in whatever status: 0 in all.');
    expect(stated({ count: null }, { kind: 'enumerate' })).toContain(
      'No match in this register, for these identifiers, up to that moment. ',
    );
    expect(stated({}, { kind: 'gone' })).toContain('No match is left in this register');
  });
});

describe('the statement of a hold', () => {
  it('gives every reason with its source, and never says that something does not exist', () => {
    const text = stated(hold);
    expect(text).toContain(
      `${asked} This search cannot say whether there is such a record: it is on hold. ${unseen} Not read or not proven: crm: `,
    );
    expect(text).toMatch(/\(timed-out\) The search: .+ \(register-changed\)$/);
    expect(text).not.toMatch(/No match|Nothing was left/);
  });

  it('names the records for a person to compare, and hides their ids from who may not see them', () => {
    const candidates = [record('r-1')];
    expect(stated({ ...hold, candidates })).toMatch(/Records for a person to compare: 1: "r-1" in crm\.$/);
    expect(stated({ ...hold, candidates }, { reveal: false })).toMatch(/Records for a person to compare: 1\.$/);
  });
});

describe('the statement of a match', () => {
  it('claims no number unless all was read, and leaves nothing unread when nothing was', () => {
    expect(stated(match)).toBe(
      `${asked} A matching record was seen and has to be reviewed; no number of matches is claimed. ${seen} Nothing was left unread. Matching records: 1: "r-1" in crm.`,
    );
    expect(stated({ ...match, count: 1 }, { kind: 'enumerate' })).toContain(
      'Matching records were seen and have to be reviewed (1 in all).',
    );
  });

  it('says what stayed unread, without the match among it', () => {
    const text = stated({ ...match, reasons: [...(match.reasons ?? []), { code: 'timed-out', source: 'desk' }] });
    expect(text).toMatch(/Not read or not proven: desk: .+ \(timed-out\) Matching records/);
    expect(text).not.toContain('(match-found)');
  });

  it('asks which is meant where several records of one source match, and not for a copy or for other kinds', () => {
    const several = 'More than one record matches: a person has to say which is meant.';
    expect(stated({ ...match, matches: [record('r-1'), record('r-2')] })).toContain(several);
    expect(stated({ ...match, matches: [record('r-1'), record('r-1', { source: 'copy' })] })).not.toContain(several);
    expect(stated({ ...match, matches: [record('r-1'), record('r-2')] }, { kind: 'gone' })).not.toContain(several);
  });
});
