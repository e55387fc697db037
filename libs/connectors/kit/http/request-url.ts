/** The URL of one page. No request leaves the base URL's origin. */
import type { AskedValue, AskedValues } from '../asked-values.js';
import type { HttpConnect } from '../register/connect.js';

const below = (base: URL, path: string): URL => {
  const url = new URL(base.href);
  url.search = '';
  url.hash = '';
  url.pathname = base.pathname.replace(/\/+$/, '') + path;
  return url;
};

const query = (
  connect: HttpConnect,
  asked: AskedValues,
  cursor: string | null,
  shown: (value: AskedValue, name: string) => string,
): URLSearchParams => {
  const parameters = new URLSearchParams();
  for (const [parameter, value] of Object.entries(connect.request.query)) {
    if ('value' in value) parameters.set(parameter, value.value);
    else if ('identifier' in value && asked[value.identifier])
      parameters.set(parameter, shown(asked[value.identifier] as AskedValue, value.identifier));
  }
  const { paging } = connect;
  if (paging.kind === 'none' || paging.kind === 'url') return parameters;
  if (paging.pageSize !== undefined) parameters.set(paging.pageSize.send.name, String(paging.pageSize.size));
  if (paging.kind !== 'cursor') parameters.set(paging.send.name, cursor ?? String(paging.first));
  else if (cursor !== null) parameters.set(paging.send.name, cursor);
  return parameters;
};

export const pageUrl = (base: URL, connect: HttpConnect, asked: AskedValues, cursor: string | null): URL => {
  const url = below(base, connect.request.path);
  url.search = query(connect, asked, cursor, ({ value }) => value).toString();
  return url;
};

/** What the fingerprint of a request is taken of: no host, no secret, no personal value. */
export const pageRequestText = (connect: HttpConnect, asked: AskedValues, cursor: string | null): string =>
  `GET ${connect.request.path}?${query(connect, asked, cursor, ({ value, personal }, name) => (personal ? `{${name}}` : value))}`;

/** Null for an id that would be read as a part of the path. */
export const recordUrl = (base: URL, path: string, recordId: string): URL | null =>
  recordId === '.' || recordId === '..'
    ? null
    : below(
        base,
        path.replace('{id}', () => encodeURIComponent(recordId)),
      );
