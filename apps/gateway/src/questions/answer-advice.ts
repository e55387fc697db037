/** What to do with an answer, in a few sentences: a pure function of what the read model knows. */
import type { VerdictReached } from '@lacuna/events';
import type { AnswerRow } from './answer-row.js';
import type { ReviewView, VerdictName } from './answer.dto.js';

/** Nothing was found because nothing has been read to its end yet; nobody may take that for absence. */
const reading =
  'The sources are still being read: nothing is known yet, and absence must not be concluded. Ask again at links.self, or with ?wait=seconds.';

const whileReread: Readonly<Record<ReviewView['decision'], string>> = {
  same: '',
  different: 'A person said that the record named before is another one: the question is read once more without it. ',
  rerun: 'A person asked for another reading. ',
};

const confirmed = 'A person confirmed that the record named here is the one looked for. Do not create another; work with that record.';

const adviceOf: Readonly<Record<VerdictName, string>> = {
  'match-review': 'At least one record matches. Do not create another; a person compares the records named here.',
  'scoped-no-match':
    'No match in this register, for these identifiers, up to asOf. It allows the next step only together with an authorisation, and not for long.',
  'evidence-hold': 'The evidence does not support a conclusion. Absence must not be concluded; the owner named here acts on the reasons.',
};

/** Where the kind of the question asks for other words. A count, or its absence, is said by itself. */
const adviceOfKind: Readonly<Partial<Record<AnswerRow['kind'], Partial<Record<VerdictName, string>>>>> = {
  gone: {
    'match-review': 'At least one record matches, so it is not gone: do not close or delete on this answer.',
    'scoped-no-match':
      'No match is left in this register, for these identifiers, up to asOf, in whatever status. By itself it allows neither closing nor deleting: that needs an authorisation.',
    'evidence-hold':
      'The evidence does not support a conclusion: do not close or delete. Absence must not be concluded; the owner named here acts on the reasons.',
  },
  enumerate: {
    'match-review': 'The records named here match.',
    'scoped-no-match': 'No match in this register, for these identifiers, up to asOf, in whatever status.',
  },
};

const counted = ({ kind }: AnswerRow, { verdict, count }: VerdictReached): string => {
  if (kind !== 'enumerate' || verdict === 'evidence-hold') return '';
  return typeof count === 'number'
    ? ` ${count} in all.`
    : ' They may not be all: no number is claimed, and none may be taken from the list.';
};

const healing =
  'The evidence does not support a conclusion yet. Absence must not be concluded; the question is asked again by itself, and a case is opened only if that does not help.';

/** Whether a person is asked at once. A hold that heals by waiting is asked again first. */
export function asksForCase({ verdict, healsByWaiting }: VerdictReached): boolean {
  return verdict === 'match-review' || (verdict === 'evidence-hold' && !healsByWaiting);
}

export function adviceOn(row: AnswerRow, verdict: VerdictReached | null, review: ReviewView | null): string {
  const stalled = row.stalled ? ' A message of this question could not be handled; an operator is needed.' : '';
  return (verdict ? onVerdict(row, verdict, review) : (review ? whileReread[review.decision] : '') + reading) + stalled;
}

function onVerdict(row: AnswerRow, verdict: VerdictReached, review: ReviewView | null): string {
  if (review?.decision === 'same' && verdict.verdict !== 'scoped-no-match') return confirmed;
  if (verdict.verdict === 'evidence-hold' && verdict.healsByWaiting && !row.has_case) return healing;
  return (adviceOfKind[row.kind]?.[verdict.verdict] ?? adviceOf[verdict.verdict]) + counted(row, verdict);
}
