/** What makes a readable answer worthless, in plain sentences. */
import type { AnswerFlag, ErrorMatch, HttpConnect, Total } from '../connect.js';
import { anyOf, placeText } from './place-text.js';

export const worthStatements = (connect: HttpConnect): readonly string[] => [
  ...(connect.total === undefined ? [] : [totalText(connect.total)]),
  ...connect.caps.map(({ unit, value, overflow }) => `At ${value} (${unit}) the source’s limit is touched (${overflow}): cap-reached.`),
  ...(connect.snapshot === undefined ? [] : [`${placeText(connect.snapshot)} must be the same on every page.`]),
  ...(connect.order === undefined
    ? []
    : [`The records must come in ${connect.order.direction} order of ${connect.order.by}, compared as ${connect.order.compare}.`]),
  ...connect.flags.map(flagText),
  ...connect.errors.map(errorText),
  ...(connect.watermark === undefined ? [] : [`${placeText(connect.watermark.path)} says up to when the answer was true.`]),
  connect.notFound === 'empty' ? 'A 404 to the first request means that there is nothing.' : 'A 404 is never an answer about records.',
];

const totalText = ({ path, relation, counts, saturatesAt, countedBeforeAccess }: Total): string => {
  const what =
    counts === 'page'
      ? 'the records of the page, which is no total'
      : counts === 'remaining'
        ? 'the records from this page on'
        : 'all records';
  const most = saturatesAt === undefined ? '' : `, never more than ${saturatesAt}`;
  return `${placeText(path)} counts ${what} (${relation}${most}${countedBeforeAccess ? ', before access rules' : ''}).`;
};

/** Every condition that the flag states must hold. */
const flagText = (flag: AnswerFlag): string => {
  const values = [...(flag.clean.length === 0 ? [] : [anyOf(flag.clean)]), ...(flag.cleanWhenEmpty ? ['empty'] : [])].join(' or ');
  const clean = [
    ...(values === '' ? [] : [values]),
    ...(flag.sameAs === undefined ? [] : [`equal to ${placeText(flag.sameAs)}`]),
    ...(flag.sameAsSent === undefined ? [] : [`what was sent as ${Object.values(flag.sameAsSent).join('')}`]),
    ...(flag.members.length === 0 ? [] : [`with ${flag.members.join(', ')}`]),
  ].join(', and ');
  const where =
    flag.each === undefined ? placeText(flag.path) : `every entry of ${placeText(flag.path)}${flag.each === '' ? '' : ` at ${flag.each}`}`;
  const missing = flag.required ? '; missing it is metadata-missing' : '';
  return `Anything but ${clean} at ${where} is ${flag.reason}${missing}.`;
};

const errorText = ({ status, path, values, contains, reason }: ErrorMatch): string => {
  const parts = [
    ...(status === undefined ? [] : [`status ${status.join(' or ')}`]),
    ...(path === undefined
      ? []
      : [`${placeText(path)}${values === undefined ? (contains === undefined ? ' present' : '') : ` ${anyOf(values)}`}`]),
    ...(contains === undefined ? [] : [`containing "${contains}"`]),
  ];
  return `An answer with ${parts.join(' and ')} is no page: ${reason}.`;
};
