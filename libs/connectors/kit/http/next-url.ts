/** What is wrong with the URL of a next page: it leads elsewhere, or asks for something else. */
import type { ReasonCode } from '@lacuna/evidence';
import type { HttpPaging } from '../register/connect.js';
import type { Position } from './continuation.js';

/** `text`: JSON of an absolute URL. One that leaves the origin is not asked: the walk stops there. */
export const nextUrlReasons = (
  text: string,
  { firstUrl }: Position,
  { samePath, keeps }: Extract<HttpPaging, { kind: 'url' }>,
): readonly ReasonCode[] => {
  const url = new URL(JSON.parse(text) as string);
  const isElsewhere = url.origin !== firstUrl.origin || url.username !== '' || url.password !== '';
  if (isElsewhere || (samePath && url.pathname !== firstUrl.pathname)) return ['continuation-off-origin'];
  return keeps.every((name) => sameValues(url, firstUrl, name)) ? [] : ['filter-not-applied'];
};

const sameValues = (one: URL, other: URL, name: string): boolean =>
  JSON.stringify(one.searchParams.getAll(name)) === JSON.stringify(other.searchParams.getAll(name));
