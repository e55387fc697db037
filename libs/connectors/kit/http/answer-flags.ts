/** What makes a readable answer less than whole. */
import type { ReasonCode } from '@lacuna/evidence';
import type { AskedValues } from '../asked-values.js';
import type { AnswerFlag } from '../register/connect.js';
import { type Answer, isAmong, isSameValue, valueOf } from './answer.js';
import { valueAt, type Json } from './exact-json.js';

/** What the request said, for answers that repeat it. */
export interface Sent {
  readonly query: URLSearchParams;
  readonly asked: AskedValues;
}

/** @throws AnswerUnreadable */
export const flagReasons = (answer: Answer, flags: readonly AnswerFlag[], sent: Sent): readonly ReasonCode[] => [
  ...new Set(flags.flatMap((flag): readonly ReasonCode[] => reasonsOf(answer, flag, sent))),
];

const reasonsOf = (answer: Answer, flag: AnswerFlag, sent: Sent): readonly ReasonCode[] => {
  const value = valueOf(answer, flag.path);
  if (value === undefined) return flag.required ? ['metadata-missing'] : [];
  return isClean(value, flag, answer, sent) ? [] : [flag.reason];
};

/** Every condition that the flag states holds. */
const isClean = (value: Json, flag: AnswerFlag, answer: Answer, sent: Sent): boolean => {
  const { each, members, sameAs, sameAsSent } = flag;
  if (!membersOf(members, value)) return false;
  if (sameAs !== undefined && !isSameValue(value, valueOf(answer, sameAs))) return false;
  if (sameAsSent !== undefined && !isSameValue(value, sentValue(sameAsSent, sent))) return false;
  if (!says(flag)) return true;
  if (each === undefined) return isCleanValue(value, flag);
  return (
    typeof value === 'object' && value !== null && Object.values(value).every((entry: Json) => isCleanValue(valueAt(entry, each), flag))
  );
};

const says = ({ clean, cleanWhenEmpty }: AnswerFlag): boolean => clean.length > 0 || cleanWhenEmpty;

const isCleanValue = (value: Json | undefined, { clean, cleanWhenEmpty, path }: AnswerFlag): boolean =>
  value !== undefined && (isAmong(value, clean, path) || (cleanWhenEmpty && isEmpty(value)));

const isEmpty = (value: Json): boolean =>
  value === null || value === 0 || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

const membersOf = (members: readonly string[], value: Json): boolean => {
  if (members.length === 0) return true;
  if (typeof value !== 'object' || value === null) return false;
  return members.every((member) => (Array.isArray(value) ? value.includes(member) : Object.hasOwn(value, member)));
};

const sentValue = (which: NonNullable<AnswerFlag['sameAsSent']>, { query, asked }: Sent): string | undefined =>
  'query' in which ? (query.get(which.query) ?? undefined) : asked[which.identifier]?.value;
