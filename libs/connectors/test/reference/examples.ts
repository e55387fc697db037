/** Examples of the reference. Each is merged over `base` and checked by a test, so that none shows what would be refused. */
export interface ReferenceExample {
  readonly title: string;
  /** YAML of a source's fields, without `sources:`. */
  readonly text: string;
  /** Doubts that this contract leaves open by itself; absent: it can support a no-match. */
  readonly holds?: readonly string[];
  /** It says all that a source must say, so that nothing is merged below it. */
  readonly whole?: true;
}

/** Wide enough that every example can stand over it. */
export const base = `
name: tickets
method: enumeration
authority: original
lagMaxMs: 0
drift: second-pass
visibility: all-or-nothing
attestation: { by: platform team, until: '2030-01-01T00:00:00.000Z' }
comparison: { account: { by: equality }, reference: { by: equality, normalise: [trim, case-fold] } }
connect:
  url: { env: LACUNA_SOURCE_DESK_URL }
  request: { path: /tickets }
  items: /tickets
  record: { id: /id, fields: { account: /account, reference: /reference } }
`;

export const whole: ReferenceExample = {
  title: 'A whole source',
  whole: true,
  text: `
name: tickets
role: deciding
method: enumeration # all tickets of the account are read, and compared here
authority: original
lagMaxMs: 0 # an answer shows every write that came before it
drift: keyset # the cursor is the id of the last row: nothing that moves is skipped
visibility: all-or-nothing
comparison: { account: { by: equality } } # how the source compares what we send
attestation: { by: platform team, until: '2030-01-01T00:00:00.000Z' }
connect:
  url: { env: LACUNA_SOURCE_DESK_URL }
  auth: { kind: bearer, token: { env: DESK_TOKEN } }
  request: { path: /tickets, query: { account: { identifier: account }, state: all } }
  items: /tickets
  record: { id: /id, version: /updated_at, status: /state, fields: { account: /account, reference: /reference } }
  paging: { kind: cursor, send: after, pageSize: { send: limit, size: 100 }, next: /meta/after, noCursor: [absent, null] }
  end: [{ by: no-next-cursor }]
  flags: [{ path: /meta/partial, clean: [false] }]
`,
};

const one = (title: string, text: string, holds?: readonly string[]): ReferenceExample => ({
  title,
  text,
  ...(holds === undefined ? {} : { holds }),
});

const pages = `
  paging: { kind: page, send: page, pageSize: { send: per_page, size: 100 } }`;
const cursor = `
  paging: { kind: cursor, send: after, next: /after, noCursor: [null] }`;
const single = `
  paging: { kind: none }
  end: [{ by: single-answer, documentedAt: https://example.org/docs }]`;

export const requestExamples: readonly ReferenceExample[] = [
  one(
    'A filter, a fixed value, and an identifier in the path',
    `
connect:
  request:
    path: /accounts/{account}/tickets
    query: { reference: { identifier: reference }, state: all }
    headers: { consistencylevel: eventual }${single}`,
  ),
  one(
    'A query language: the identifier is put into text',
    `
connect:
  request:
    path: /search
    query:
      q: { template: 'type:ticket reference:"{reference}"', escape: backslash }${single}`,
  ),
  one(
    'A POST with a JSON body',
    `
connect:
  request:
    path: /tickets/search
    body: { filter: { account: { $identifier: account } }, sort: [id], track_total: true }
  paging: { kind: cursor, send: { in: body, name: /after }, pageSize: { send: { in: body, name: /limit }, size: 100 }, next: /after, noCursor: [null] }
  end: [{ by: no-next-cursor }]`,
  ),
  one(
    'GraphQL',
    `
connect:
  request:
    path: /graphql
    graphql:
      query: 'query($after: String, $account: String!) { tickets(first: 100, after: $after, account: $account) { nodes { id account reference } pageInfo { hasNextPage endCursor } } }'
      variables: { account: { $identifier: account } }
  items: /data/tickets/nodes
  paging:
    kind: cursor
    send: { in: body, name: /variables/after }
    next: /data/tickets/pageInfo/endCursor
    noCursor: [null]
    cursorAtEnd: allowed # endCursor stands on the last page too
  end: [{ by: flag, path: /data/tickets/pageInfo/hasNextPage, ends: [false], continues: [true] }]`,
  ),
  one(
    'Something is opened first and closed after',
    `
drift: snapshot
connect:
  open: { path: /tickets/point-in-time, method: POST, take: { pit: /id } }
  request: { path: /tickets/search, body: { pit: { $opened: pit }, filter: { account: { $identifier: account } } } }
  close: { path: /tickets/point-in-time/close, body: { id: { $opened: pit } } }
  snapshot: /pit
  paging: { kind: cursor, send: { in: body, name: /after }, pageSize: { send: { in: body, name: /limit }, size: 100 }, next: { lastRow: /sort } }
  end: [{ by: empty-page, documentedAt: https://example.org/docs }]`,
  ),
  one(
    'A session is opened and confirmed',
    `
drift: documented
connect:
  open: { path: /sessions, method: POST, take: { session: { header: x-session-id } } }
  confirm: { path: /sessions/confirm, method: POST, headers: { x-session-id: { opened: session } } }
  request: { path: /tickets, headers: { x-session-id: { opened: session } } }
  paging: { kind: cursor, send: after, next: /meta/after, noCursor: [absent] }
  end: [{ by: no-next-cursor }]`,
  ),
];

const auth = (title: string, text: string): ReferenceExample =>
  one(
    title,
    `
connect:
  auth: ${text}${single}`,
  );

export const authExamples: readonly ReferenceExample[] = [
  auth('A token', '{ kind: bearer, token: { env: DESK_TOKEN } }'),
  auth('A user and a password', '{ kind: basic, user: { env: DESK_USER }, password: { file: /run/secrets/desk } }'),
  auth('A key in a header', '{ kind: api-key, name: x-api-key, value: { env: DESK_KEY } }'),
  auth(
    'A key in a header with a word before it',
    "{ kind: api-key, name: authorization, value: { env: DESK_KEY }, prefix: 'Token token=' }",
  ),
  auth(
    'OAuth 2.0 client credentials',
    '{ kind: oauth2-client-credentials, tokenUrl: { env: DESK_TOKEN_URL }, clientId: { env: DESK_ID }, clientSecret: { env: DESK_SECRET }, scope: tickets.read }',
  ),
];

export const rowExamples: readonly ReferenceExample[] = [
  one(
    'The body is the list itself, and an id is a number',
    `
connect:
  items: ''
  record: { id: /number, version: /updated_at, status: /state, followTo: /merged_into, fields: { account: /account/id, reference: /title } }${single}`,
  ),
  one(
    'JSON lines',
    `
connect:
  format: json-lines
  items: ''${single}`,
  ),
  one(
    'A JSON text inside the answer',
    `
connect:
  unwrap: { path: /result/content/0/text, into: /parsed }
  items: /parsed/tickets${single}`,
  ),
  one(
    'An answer that is made in the background',
    `
connect:
  state: { path: /status, finished: [SUCCEEDED], running: [QUEUED, RUNNING], pollDelayMs: 500, pollsMax: 60 }
  itemsAbsent: empty # documented: rows is left out when there are none${single}`,
  ),
];

export const pagingExamples: readonly ReferenceExample[] = [
  one(
    'none: one answer',
    `
connect:${single}`,
  ),
  one(
    'page: by number',
    `
connect:${pages}
  end: [{ by: flag, path: /has_more, ends: [false], continues: [true] }]`,
  ),
  one(
    'offset: by the number of records before',
    `
drift: overlap # each page reads the last record of the page before again
connect:
  paging: { kind: offset, send: offset, pageSize: { send: limit, size: 100 }, overlap: 1 }
  end: [{ by: total }]
  total: { path: /total, relation: exact }`,
  ),
  one(
    'cursor: a token of the answer',
    `
drift: documented
connect:
  paging: { kind: cursor, send: page_token, next: /next_page_token, noCursor: [absent, empty], pageSize: { send: page_size, size: 100 }, lifetimeMs: 86400000, replay: replayable }
  end: [{ by: no-next-cursor }]`,
  ),
  one(
    'cursor: the id of the last row',
    `
drift: keyset
connect:
  paging: { kind: cursor, send: starting_after, next: { lastRow: /id }, pageSize: { send: limit, size: 100 } }
  end: [{ by: flag, path: /has_more, ends: [false], continues: [true] }]`,
  ),
  one(
    'cursor: a token in a header',
    `
connect:
  paging: { kind: cursor, send: { in: header, name: x-continuation }, next: { header: x-continuation }, noCursor: [absent, empty] }
  end: [{ by: no-next-cursor }]`,
  ),
  one(
    'url: the next page as a link',
    `
connect:
  request: { path: /tickets, query: { account: { identifier: account } } }
  paging: { kind: url, next: { link: next }, noCursor: [absent], keeps: [account], pageSize: { send: per_page, size: 100 } }
  end: [{ by: no-next-cursor }]`,
  ),
  one(
    'url: the next page in the body, opaque and under another path',
    `
connect:
  paging: { kind: url, next: /nextRecordsUrl, noCursor: [absent], samePath: false }
  end: [{ by: flag, path: /done, ends: [true], continues: [false] }, { by: no-next-cursor }]`,
  ),
];

export const endExamples: readonly ReferenceExample[] = [
  one(
    'no-next-cursor',
    `
connect:${cursor}
  end: [{ by: no-next-cursor }]`,
  ),
  one(
    'flag, with a cursor that must agree',
    `
connect:${cursor}
  end: [{ by: no-next-cursor }, { by: flag, path: /has_more, ends: [false], continues: [true] }]`,
  ),
  one(
    'total',
    `
connect:${pages}
  total: { path: { header: x-total }, relation: exact }
  end: [{ by: total }]`,
  ),
  one(
    'page-count',
    `
connect:${pages}
  end: [{ by: page-count, path: /pages }]`,
  ),
  one(
    'reached',
    `
connect:${cursor}
  end: [{ by: reached, path: /position, target: /end_position }]`,
  ),
  one(
    'present',
    `
connect:
  paging: { kind: url, next: /@odata.nextLink, noCursor: [absent] }
  end: [{ by: no-next-cursor }, { by: present, path: /@odata.deltaLink }]`,
  ),
  one(
    'unchanged-cursor',
    `
connect:
  paging: { kind: cursor, send: token, next: /token, noCursor: [absent], cursorAtEnd: allowed }
  end: [{ by: unchanged-cursor, documentedAt: https://example.org/docs, whenEmpty: false }]`,
  ),
  one(
    'single-answer',
    `
connect:${single}`,
  ),
  one(
    'short-page',
    `
connect:${pages}
  end: [{ by: short-page, documentedAt: https://example.org/docs, pageSizeMax: 100 }]`,
  ),
  one(
    'empty-page',
    `
connect:${pages}
  end: [{ by: empty-page, documentedAt: https://example.org/docs }]`,
  ),
];

export const worthExamples: readonly ReferenceExample[] = [
  one(
    'A total that says itself whether it is exact, and never says more than 10,000',
    `
connect:${single}
  total: { path: /hits/total/value, relation: lower-bound, relationAt: { path: /hits/total/relation, exact: [eq] }, saturatesAt: 10000 }`,
  ),
  one(
    'An end by an estimate can only hold',
    `
connect:${pages}
  total: { path: /total, relation: estimate }
  end: [{ by: total }]`,
    ['metadata-missing'],
  ),
  one(
    'Caps: 1,000 results in all, and 10 pages',
    `
connect:${pages}
  end: [{ by: flag, path: /has_more, ends: [false], continues: [true] }]
  caps: [{ unit: records, value: 1000, overflow: silent-stop }, { unit: pages, value: 10, overflow: error }]`,
  ),
  one(
    'Flags: a boolean, a list of errors, shards, an echo, sub-sources',
    `
connect:
  request: { path: /tickets, query: { account: { identifier: account } } }${single}
  flags:
    - { path: /timed_out, clean: [false], reason: timed-out }
    - { path: /errors, cleanWhenEmpty: true, required: false, reason: error-in-success }
    - { path: /_shards/successful, sameAs: /_shards/total, reason: sub-source-unreachable }
    - { path: /query/account, sameAsSent: { identifier: account }, reason: filter-not-applied }
    - { path: /regions, each: /status, clean: [ok], members: [eu, us], reason: sub-source-unreachable }`,
  ),
  one(
    'Errors: an expired cursor, a quota in a 200, a time-out named in text',
    `
connect:${cursor}
  end: [{ by: no-next-cursor }]
  errors:
    - { status: [410], reason: cursor-expired }
    - { status: [400], path: /error/code, values: [INVALID_CURSOR], reason: cursor-expired }
    - { path: /error/type, values: [quota], reason: rate-limited }
    - { path: /error/message, contains: timed out, reason: timed-out }`,
  ),
  one(
    'A snapshot on every page, and an order',
    `
drift: snapshot
connect:${cursor}
  end: [{ by: no-next-cursor }]
  snapshot: /metadata/resourceVersion
  order: { by: /id, compare: number }`,
  ),
  one(
    'A hazard that no answer shows, lifted by what is sent',
    `
hazards:
  - { name: shards-skipped, what: 'Shards that fail are left out.', reason: sub-source-unreachable, liftedBy: { query: allow_partial, value: 'false' } }
connect:
  request: { path: /tickets, query: { allow_partial: false } }${single}`,
  ),
  one(
    'A hazard that somebody attests not to exist here',
    `
hazards: [{ name: search-cutoff, what: 'A search stops after 1500 ms and does not say so.', reason: timed-out }]
attested: { search-cutoff: { by: platform team, until: '2030-01-01T00:00:00.000Z' } }
connect:${single}`,
  ),
  one(
    'A hazard of which nobody says anything can only hold',
    `
hazards: [{ name: search-cutoff, what: 'A search stops after 1500 ms and does not say so.', reason: timed-out }]
connect:${single}`,
    ['timed-out'],
  ),
  one(
    'What must be sent, and fields that must be asked for',
    `
requires: [{ query: include_archived, value: 'true', why: Archived tickets are left out otherwise. }]
projection: { name: fields, contains: [nextPageToken, incompleteSearch] }
connect:
  request: { path: /tickets, query: { include_archived: true, fields: 'tickets(id,account,reference),nextPageToken,incompleteSearch' } }
  paging: { kind: cursor, send: pageToken, next: /nextPageToken, noCursor: [absent] }
  end: [{ by: no-next-cursor }]
  flags: [{ path: /incompleteSearch, clean: [false] }]`,
  ),
];

export const timeExamples: readonly ReferenceExample[] = [
  one(
    'An index that is up to a minute behind and leaves out the newest minute',
    `
authority: copy
lagMaxMs: 60000
recentExcludedMs: 60000
connect:${single}
  watermark: { path: /indexed_until, unit: epoch-seconds }`,
  ),
  one(
    'A lag without a known bound can only hold',
    `
authority: copy
lagMaxMs: null
connect:${single}`,
    ['replica-lag-unknown'],
  ),
];

export const sightExamples: readonly ReferenceExample[] = [
  one(
    'Access rules drop rows from a page already cut: a short page proves nothing',
    `
visibility: filtered-after-limit
connect:${pages}
  end: [{ by: short-page, documentedAt: https://example.org/docs, pageSizeMax: 100 }]`,
    ['visibility-limited'],
  ),
  one(
    'A filter that compares by words can only hold',
    `
comparison: { reference: { by: tokens } }
connect:
  request: { path: /tickets, query: { q: { identifier: reference } } }${single}`,
    ['predicate-narrower'],
  ),
];

export const layerExamples: readonly ReferenceExample[] = [
  one(
    'A layer of one’s own below the source',
    `
presets:
  - connect: { caps: [{ unit: records, value: 10000 }], flags: [{ path: /meta/partial, clean: [false] }] }
connect:${single}`,
  ),
];
