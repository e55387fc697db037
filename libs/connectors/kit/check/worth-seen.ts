/** Flags, caps, snapshots and order, and what no answer can show. */
import { flagReasons, type Sent } from '../http/answer-flags.js';
import { valueOf } from '../http/answer.js';
import { textOf } from '../http/exact-json.js';
import { OrderCheck } from '../http/order-check.js';
import { watermarkOf } from '../http/watermark.js';
import { isSent } from '../register/sent-values.js';
import type { AnswerFlag, Cap, HttpConnect } from '../register/connect.js';
import { parameterText } from '../register/contract-obstacles.js';
import type { DocumentSource } from '../register/register-document.js';
import { placeText } from '../register/strength/place-text.js';
import { itemsOn, seen, shown, type Seen, type SeenRead, type StatementSeen } from './seen.js';

export const worthSeen = (source: DocumentSource, connect: HttpConnect, read: SeenRead, sent: Sent): readonly StatementSeen[] => [
  ...connect.flags.map((flag, at) => flagSeen(flag, at, read, sent)),
  ...connect.caps.map((cap, at) => capSeen(cap, at, connect, read)),
  ...(connect.snapshot === undefined ? [] : [snapshotSeen(connect, read)]),
  ...(connect.order === undefined ? [] : [orderSeen(connect, read)]),
  ...(connect.watermark === undefined ? [] : [watermarkSeen(connect, read)]),
  ...byIdSeen(connect, read),
  ...source.contract.requires.map((parameter, at) =>
    seen(`/requires/${at}`, `${parameterText(parameter)} is sent`, isSent(parameter, connect) ? 'true' : 'false', parameter.why),
  ),
  ...untried(source, connect),
];

const flagSeen = (flag: AnswerFlag, at: number, read: SeenRead, sent: Sent): StatementSeen => {
  const path = `/connect/flags/${at}`;
  const statement = `${placeText(flag.path)} says whether the answer is whole`;
  const values = read.pages.map(({ answer }) => valueOf(answer, flag.path));
  const absent = values.findIndex((value) => value === undefined);
  if (flag.required && absent >= 0) return seen(path, statement, 'false', `page ${absent + 1} lacks it`);
  const there = values.filter((value) => value !== undefined);
  if (there.length === 0) return seen(path, statement, 'not-tried', 'no answer has it');
  const raised = read.pages.findIndex(({ answer }) => flagReasons(answer, [flag], sent).length > 0);
  if (raised >= 0) return seen(path, statement, 'true', `page ${raised + 1} has ${shown(values[raised])}: ${flag.reason}`);
  return seen(path, statement, 'true', `clean on ${there.length} pages: ${shown(there[0])}`);
};

const capSeen = ({ unit, value }: Cap, at: number, connect: HttpConnect, read: SeenRead): StatementSeen => {
  const counts = read.pages.map((page) => itemsOn(page, connect)?.length ?? 0);
  const records = counts.reduce((sum, count) => sum + count, 0);
  const reached = { records, 'page-records': Math.max(0, ...counts), pages: read.pages.length, offset: records, total: null }[unit];
  const statement = `nothing goes beyond ${value} (${unit})`;
  if (reached !== null && reached > value) return seen(`/connect/caps/${at}`, statement, 'false', `${reached} were seen`);
  return seen(`/connect/caps/${at}`, statement, 'not-tried', reached === null ? 'no answer shows it' : `${reached} were seen`);
};

const snapshotSeen = ({ snapshot = '' }: HttpConnect, read: SeenRead): StatementSeen => {
  const statement = `${placeText(snapshot)} is the same on every page`;
  const ids = read.pages.map(({ answer }) => textOf(valueOf(answer, snapshot)));
  const texts = ids.map((id) => (id === 'unreadable' ? null : id.text || null));
  const missing = texts.findIndex((text) => text === null);
  if (missing >= 0) return seen('/connect/snapshot', statement, 'false', `page ${missing + 1} has none`);
  if (new Set(texts).size > 1) return seen('/connect/snapshot', statement, 'false', 'it changed between pages');
  return seen('/connect/snapshot', statement, texts.length > 1 ? 'true' : 'not-tried', `on ${texts.length} pages`);
};

const orderSeen = ({ order, ...connect }: HttpConnect, read: SeenRead): StatementSeen => {
  const check = order === undefined ? null : new OrderCheck(order);
  const statement = `records come in ${order?.direction} order of ${order?.by}`;
  const pages = read.pages.map((page) => itemsOn(page, connect) ?? []);
  const wrong = pages.findIndex((items) => check?.inOrder(items) === false);
  if (wrong >= 0) return seen('/connect/order', statement, 'false', `not on page ${wrong + 1}`);
  const records = pages.flat().length;
  return seen('/connect/order', statement, records > 1 ? 'true' : 'not-tried', `${records} records`);
};

const watermarkSeen = (connect: HttpConnect, read: SeenRead): StatementSeen => {
  const statement = `${placeText(connect.watermark?.path ?? '')} says up to when the answer was true`;
  const missing = read.pages.findIndex(({ answer }) => watermarkOf(answer, connect) === null);
  return seen(
    '/connect/watermark',
    statement,
    missing >= 0 ? 'false' : 'true',
    missing >= 0 ? `not on page ${missing + 1}` : `on ${read.pages.length} pages`,
  );
};

const byIdSeen = ({ byId }: HttpConnect, read: SeenRead): readonly StatementSeen[] => {
  if (byId === undefined || read.byId === null) return [];
  const { known, absent } = read.byId;
  const found = known === null ? 'not-tried' : known.type === 'record' ? 'true' : 'false';
  return [
    seen('/connect/byId', `${byId.path} gives a record that was listed`, found, known === null ? 'no record was seen' : outcomeText(known)),
    seen('/connect/byId', `${byId.path} of no record says that there is none`, absenceSeen(absent), outcomeText(absent)),
  ];
};

/** A 404 is an absence only where the contract says that it never masks a 403; elsewhere nothing is claimed of it. */
const absenceSeen = (absent: NonNullable<SeenRead['byId']>['absent']): Seen => {
  if (absent.type === 'absent') return 'true';
  return absent.type === 'failure' && absent.status === 404 ? 'not-tried' : 'false';
};

const outcomeText = (outcome: NonNullable<SeenRead['byId']>['absent']): string => {
  if (outcome.type === 'failure') return `${outcome.reason}: ${outcome.detail}`;
  return outcome.type === 'record' ? 'a record came' : 'there is none';
};

/** What only the documentation, or somebody who answers for it, can say. */
const untried = (source: DocumentSource, connect: HttpConnect): readonly StatementSeen[] => [
  seen(
    '/lagMaxMs',
    source.lagMaxMs === null ? 'its lag has no known bound' : `it is at most ${source.lagMaxMs} ms behind`,
    'not-tried',
    'no read shows it',
  ),
  seen('/drift', `drift is answered by ${source.drift}`, 'not-tried', 'nothing moved that the check knows of'),
  seen('/visibility', `rows are left out: ${source.visibility}`, 'not-tried', 'what is hidden is not seen'),
  ...source.hazards.map(({ name }) => seen(`/attested/${name}`, `${name} does not happen`, 'not-tried', 'it leaves no trace in an answer')),
  ...connect.errors.map((error, at) =>
    seen(`/connect/errors/${at}`, `such an answer is ${error.reason}`, 'not-tried', 'no such answer came'),
  ),
  seen('/connect/notFound', `a 404 to the first request is ${connect.notFound}`, 'not-tried', 'none came'),
];
