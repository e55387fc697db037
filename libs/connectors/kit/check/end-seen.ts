/** Each end signal by itself, page by page, and the total against what was read. */
import { continuationOf, type Continuation } from '../http/continuation.js';
import { totalOf } from '../http/totals.js';
import type { EndSignal, HttpConnect } from '../register/connect.js';
import { endText } from '../register/strength/statements.js';
import { hasEnded, itemsOn, readPages, seen, type SeenPage, type SeenRead, type StatementSeen } from './seen.js';

export const endSeen = (connect: HttpConnect, read: SeenRead): readonly StatementSeen[] => [
  ...connect.end.map((signal, at) => signalSeen(signal, at, connect, read)),
  ...(connect.total === undefined ? [] : [totalSeen(connect, read)]),
];

const saidAlone = (signal: EndSignal, page: SeenPage, connect: HttpConnect): Continuation => {
  const items = itemsOn(page, connect) ?? [];
  const records = page.response?.rows.length ?? items.length;
  const total = totalOf(page.answer, connect, page.pass.cursor === null, page.pass.recordsBefore);
  return continuationOf({ answer: page.answer, connect: { ...connect, end: [signal] }, position: page.pass, items, records, total });
};

const signalSeen = (signal: EndSignal, at: number, connect: HttpConnect, read: SeenRead): StatementSeen => {
  const path = `/connect/end/${at}`;
  const statement = `it ends where ${endText(signal, connect)}`;
  const pages = readPages(read);
  const said = pages.map((page) => saidAlone(signal, page, connect));
  const unclear = said.findIndex(({ end }) => end === 'unclear');
  if (unclear >= 0) return seen(path, statement, 'false', `on page ${unclear + 1}: ${said[unclear]?.reasons.join(', ') ?? ''}`);
  if (pages.length === 0) return seen(path, statement, 'not-tried', 'no page was read');
  const early = pages.findIndex(({ response }, page) => said[page]?.end === 'signalled' && response.observed.end !== 'signalled');
  if (early >= 0) return seen(path, statement, 'false', `says the end on page ${early + 1}, where another signal does not`);
  const contradicted = pages.findIndex(
    ({ response }, page) => said[page]?.end === 'continues' && response.observed.reasons.includes('end-signals-conflict'),
  );
  if (contradicted >= 0)
    return seen(path, statement, 'false', `says that there is more on page ${contradicted + 1}, where another signal says the end`);
  const on = said.filter(({ end }) => end === 'continues').length;
  if (!hasEnded(read)) return seen(path, statement, 'not-tried', `goes on for ${on} pages; the end was not reached`);
  if (signal.by === 'single-answer') return seen(path, statement, 'not-tried', 'no answer shows that there is no second page');
  return on === 0
    ? seen(path, statement, 'true', 'on the only page; that it goes on was not seen')
    : seen(path, statement, 'true', `goes on for ${on} pages, then ends`);
};

const totalSeen = (connect: HttpConnect, read: SeenRead): StatementSeen => {
  const relation = connect.total?.relation ?? 'estimate';
  const statement = `the total counts the records (${relation})`;
  const path = '/connect/total';
  const counts = readPages(read).map((page) => totalOf(page.answer, connect, page.pass.cursor === null, page.pass.recordsBefore));
  const missing = counts.findIndex(({ reasons }) => reasons.length > 0);
  if (missing >= 0) return seen(path, statement, 'false', `page ${missing + 1} has none`);
  const exact = counts
    .filter((total) => total.relation !== 'estimate')
    .flatMap(({ count, relation: each }) => (count === null ? [] : [{ count, each }]));
  const first = exact[0];
  if (first === undefined) return seen(path, statement, 'not-tried', 'an estimate promises nothing');
  if (exact.some(({ count }) => count !== first.count))
    return seen(path, statement, 'false', 'it differs from page to page, or the records changed meanwhile');
  const unique = new Set(readPages(read).flatMap(({ response }) => response.rows.map(({ recordId }) => recordId))).size;
  if (unique > first.count && first.each === 'exact')
    return seen(path, statement, 'false', `it says ${first.count}, and ${unique} records were read`);
  if (!hasEnded(read)) return seen(path, statement, 'not-tried', `it says ${first.count}; the end was not reached`);
  if (unique < first.count) return seen(path, statement, 'false', `it says ${first.count}, and ${unique} records were read to the end`);
  return seen(path, statement, 'true', `it says ${first.count}, and ${unique} records were read to the end`);
};
