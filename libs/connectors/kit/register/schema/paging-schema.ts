import { choice, count, flag, list, object, oneOf, text, type Schema } from './field.js';
import { PARAMETER, nothingThere, place, sendPlace } from './places.js';

const kind = (name: string): Schema => ({ const: name });

const pageSize = object(
  {
    send: sendPlace('Where the page size is written', 'limit'),
    size: count('Records that are asked for.', 100, { minimum: 1, maximum: 100_000 }),
    echo: place('Where the answer says how many it allowed; fewer than asked for is then the page’s size', '/limit'),
  },
  'How many records a page is asked to hold. Left out where the source chooses.',
  ['echo'],
);

const overlap = count('Records of the page before that each page reads again; at least 1 with drift overlap.', 0, {
  maximum: 1_000,
  default: 0,
});

const fromAnswer: Readonly<Record<string, Schema>> = {
  next: place('Where the next cursor or URL stands', '/next_cursor'),
  noCursor: nothingThere(
    'What stands there when there is no further page; null and false may stand for their names. Required but beside next { lastRow }. Any other value that is no text or number is `metadata-missing`.',
    ['absent', 'null'],
  ),
  cursorAtEnd: oneOf(['never', 'allowed'], 'Whether a cursor may stand beside a signalled end. never: then it is `end-signals-conflict`.', {
    default: 'never',
  }),
  lifetimeMs: count('Time for which the source keeps it; used later it is `cursor-expired`.', 300_000, { minimum: 1 }),
  replay: oneOf(
    ['unknown', 'replayable', 'consuming'],
    'replayable: the same cursor gives the same page, so that a lost answer may be asked for again. consuming: asking again would skip a page.',
    { default: 'unknown' },
  ),
};

/** `noCursor` is needed but beside `lastRow`, where every row has a cursor: http-problems.ts says so. */
const OPTIONAL = ['pageSize', 'lifetimeMs', 'noCursor'];

export const pagingSchema: Schema = choice(
  'kind',
  {
    none: object({ kind: kind('none') }, 'One answer holds everything.'),
    page: object(
      {
        kind: kind('page'),
        send: sendPlace('Where the page’s number is written', 'page'),
        first: count('Number of the first page.', 1, { default: 1, maximum: 1 }),
        pageSize,
      },
      'Pages are asked for by their number.',
      OPTIONAL,
    ),
    offset: object(
      {
        kind: kind('offset'),
        send: sendPlace('Where the number of records before the page is written', 'offset'),
        first: count('Its value for the first page.', 0, { default: 0, maximum: 1 }),
        pageSize,
        overlap,
      },
      'Pages are asked for by the number of records before them.',
    ),
    cursor: object(
      {
        kind: kind('cursor'),
        send: sendPlace('Where the cursor is written; left out for the first page', 'cursor'),
        pageSize,
        ...fromAnswer,
        otherParameters: oneOf(
          ['sent', 'left-out'],
          'Parameters beside the cursor: sent again, or left out because the cursor holds them.',
          {
            default: 'sent',
          },
        ),
        overlap,
      },
      'Pages are asked for by a value of the page before: a token, the id of its last row, a time.',
      OPTIONAL,
    ),
    url: object(
      {
        kind: kind('url'),
        pageSize,
        ...fromAnswer,
        samePath: flag('The next URL must have the path that was asked.', true),
        keeps: list(
          text('A query parameter.', 'account', { pattern: PARAMETER }),
          'Query parameters of the first request that the next URL must repeat unchanged, else `filter-not-applied`, and beside them those that hold an identifier or a template; [] where the URL is opaque. Default: [] without samePath.',
          ['account'],
          { uniqueItems: true },
        ),
      },
      'The page before gives the whole URL of the next, of the same origin.',
      [...OPTIONAL, 'keeps'],
    ),
  },
  'How a read continues.',
  { kind: 'cursor', send: 'cursor', next: '/next_cursor', noCursor: ['null'] },
);
