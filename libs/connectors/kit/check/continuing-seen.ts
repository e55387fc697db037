/** Cursors and URLs of next pages, page sizes, and whether a page can be asked for again. */
import { valueAt, type Json } from '../http/exact-json.js';
import { countOf, valueOf } from '../http/answer.js';
import type { HttpConnect, HttpPaging, PageSize } from '../register/connect.js';
import { placeText } from '../register/strength/place-text.js';
import { hasEnded, itemsOn, readPages, seen, shown, type SeenPage, type SeenRead, type StatementSeen } from './seen.js';

export const continuingSeen = (connect: HttpConnect, read: SeenRead): readonly StatementSeen[] => {
  const { paging } = connect;
  if (paging.kind === 'none') return [];
  const size = paging.pageSize === undefined ? [] : [sizeSeen(paging.pageSize, connect, read)];
  if (paging.kind === 'page' || paging.kind === 'offset') return [numbersSeen(paging.kind, connect, read), ...size];
  return [cursorSeen(paging, connect, read), ...(paging.kind === 'url' ? [urlSeen(paging, read)] : []), ...size, replaySeen(paging, read)];
};

/** The second page differs from the first: else the parameter is not read, and every page is the first. */
const numbersSeen = (kind: 'page' | 'offset', connect: HttpConnect, read: SeenRead): StatementSeen => {
  const statement = `another ${kind === 'page' ? 'page number' : 'offset'} gives another page`;
  const [first, second] = readPages(read);
  if (first === undefined || second === undefined) return seen('/connect/paging/send', statement, 'not-tried', 'there was one page only');
  const same =
    JSON.stringify(itemsOn(first, connect)) === JSON.stringify(itemsOn(second, connect)) && (itemsOn(first, connect)?.length ?? 0) > 0;
  return seen(
    '/connect/paging/send',
    statement,
    same ? 'false' : 'true',
    same ? 'the second page is the first once more' : `on ${read.pages.length} pages`,
  );
};

type FromAnswer = Extract<HttpPaging, { kind: 'cursor' | 'url' }>;

const nextOn = (page: SeenPage, { next }: FromAnswer, connect: HttpConnect): Json | undefined => {
  if (typeof next !== 'object' || !('lastRow' in next)) return valueOf(page.answer, next);
  const last = itemsOn(page, connect)?.at(-1);
  return last === undefined ? undefined : valueAt(last, next.lastRow);
};

const isLastRow = ({ next }: FromAnswer): boolean => typeof next === 'object' && 'lastRow' in next;

const cursorSeen = (paging: FromAnswer, connect: HttpConnect, read: SeenRead): StatementSeen => {
  const path = '/connect/paging/next';
  const statement = `${placeText(paging.next)} holds what asks for the next page${isLastRow(paging) ? '' : `, or is ${paging.noCursor.join(' or ')}`}`;
  const pages = readPages(read);
  const last = pages.at(-1);
  if (last === undefined) return seen(path, statement, 'not-tried', 'no page was read');
  const unclear = last.response.observed.end === 'unclear' && last.response.observed.reasons.includes('metadata-missing');
  const value = nextOn(last, paging, connect);
  if (unclear && (value === undefined || value === null || value === false || value === ''))
    return seen(path, statement, 'false', `page ${pages.length} has ${shown(value)}, which the contract does not name`);
  if (pages.length < 2) return seen(path, statement, hasEnded(read) ? 'not-tried' : 'true', `${shown(value)} on the only page`);
  return seen(path, statement, 'true', `led to ${pages.length - 1} further pages${hasEnded(read) ? `; the last has ${shown(value)}` : ''}`);
};

const urlSeen = ({ samePath, keeps }: Extract<HttpPaging, { kind: 'url' }>, read: SeenRead): StatementSeen => {
  const path = samePath ? '/connect/paging/samePath' : '/connect/paging/keeps';
  const statement = [
    'the next URL stays at this origin',
    ...(samePath ? ['and path'] : []),
    ...(keeps.length > 0 ? [`and repeats ${keeps.join(', ')}`] : []),
  ].join(' ');
  const pages = readPages(read);
  const wrong = pages
    .flatMap(({ response }) => response.observed.reasons)
    .find((reason) => reason === 'continuation-off-origin' || reason === 'filter-not-applied');
  if (wrong !== undefined) return seen(path, statement, 'false', wrong);
  const followed = pages.filter(({ response }) => response.next !== null).length;
  return seen(path, statement, followed === 0 ? 'not-tried' : 'true', followed === 0 ? 'there was no next URL' : `on ${followed} pages`);
};

const sizeSeen = (pageSize: PageSize, connect: HttpConnect, read: SeenRead): StatementSeen => {
  const path = '/connect/paging/pageSize';
  const statement = `a page holds as many records as asked for: ${pageSize.size}`;
  const counts = readPages(read).map((page) => itemsOn(page, connect)?.length ?? 0);
  const continuing = hasEnded(read) ? counts.slice(0, -1) : counts;
  const most = Math.max(0, ...counts);
  if (most > pageSize.size) return seen(path, statement, 'false', `a page holds ${most}`);
  const echoed = readPages(read).map(({ answer }) => (pageSize.echo === undefined ? null : countOf(valueOf(answer, pageSize.echo))));
  if (pageSize.echo !== undefined && echoed.includes(null))
    return seen(`${path}/echo`, `${placeText(pageSize.echo)} says how many it allowed`, 'false', 'it is no count');
  if (continuing.length === 0) return seen(path, statement, 'not-tried', `one page with ${most} records`);
  const allowed = Math.min(pageSize.size, ...echoed.filter((each) => each !== null));
  const short = continuing.filter((count) => count < allowed).length;
  if (short > 0)
    return seen(
      path,
      statement,
      'false',
      `${short} of ${continuing.length} pages before the last hold fewer, at most ${Math.max(...continuing)}: a short page is no end here`,
    );
  return seen(path, statement, 'true', `on ${continuing.length} pages before the last`);
};

const replaySeen = ({ replay }: FromAnswer, { repeated }: SeenRead): StatementSeen => {
  const path = '/connect/paging/replay';
  const statement =
    replay === 'replayable' ? 'the same cursor gives the same page again' : `asked for again with the same cursor: ${replay}`;
  if (repeated === null)
    return seen(path, statement, 'not-tried', replay === 'consuming' ? 'asking again would skip a page' : 'there was no second page');
  if (replay !== 'replayable')
    return seen(
      path,
      statement,
      'not-tried',
      `page ${repeated.page} ${repeated.same ? 'came back the same: it may be replayable' : `did not come back the same: ${repeated.detail}`}`,
    );
  return seen(path, statement, repeated.same ? 'true' : 'false', `page ${repeated.page}: ${repeated.detail}`);
};
