import { choice, count, flag, list, object, oneOf, text, type Schema } from './field.js';
import { documentedAt, nothingThere, place, scalars } from './places.js';

const by = (name: string): Schema => ({ const: name });
const documented = documentedAt('that this is the end');

const endSignal: Schema = choice(
  'by',
  {
    'no-next-cursor': object({ by: by('no-next-cursor') }, 'The page has no next cursor or URL.'),
    flag: object(
      {
        by: by('flag'),
        path: place('Where the flag stands', '/has_more'),
        ends: scalars('Values that mean the end.', [false]),
        continues: scalars('Values that mean that there is more. Any other value is unknown, and holds.', [true]),
        optional: flag('It may be left out, and then says nothing: another signal must.', false),
      },
      'A flag of the page.',
    ),
    total: object({ by: by('total') }, 'As many records were read as the exact total says.'),
    'page-count': object(
      { by: by('page-count'), path: place('Where the number of pages stands', '/page/totalPages') },
      'The page’s number has reached the answer’s number of pages.',
    ),
    reached: object(
      {
        by: by('reached'),
        path: place('Where the position stands', '/position'),
        target: place('Where the position of the end stands', '/end_position'),
      },
      'A position has reached another.',
    ),
    present: object(
      { by: by('present'), path: place('What only the last page has', '/@odata.deltaLink') },
      'Another link or member appears only on the last page; absent means that there is more.',
    ),
    'no-value': object(
      {
        by: by('no-value'),
        path: place('Where the number or the name of the next page stands', { header: 'x-next-page' }),
        none: nothingThere('What stands there on the last page. Any other text or number goes on; anything else is unknown, and holds.', [
          'empty',
        ]),
      },
      'Another place beside the cursor says that there is no next page.',
    ),
    'unchanged-cursor': object(
      { by: by('unchanged-cursor'), documentedAt: documented, whenEmpty: flag('Only on a page without records.', true) },
      'The cursor that came back is the one that was sent.',
    ),
    'single-answer': object({ by: by('single-answer'), documentedAt: documented }, 'There is never a second page. Goes with paging none.'),
    'short-page': object(
      {
        by: by('short-page'),
        documentedAt: documented,
        pageSizeMax: count('The source’s greatest page size, which `pageSize.size` must not exceed.', 100, { minimum: 1 }),
      },
      'Fewer records than asked for. As the only signal believed with `pageSizeMax` or `pageSize.echo` only.',
      ['pageSizeMax'],
    ),
    'empty-page': object({ by: by('empty-page'), documentedAt: documented }, 'A page without records.'),
  },
  'One way in which the source says that the read is over.',
  { by: 'no-next-cursor' },
);

export const endSchema: Schema = list(
  endSignal,
  'Every signal listed must say the same; a contradiction is `end-signals-conflict`.',
  [{ by: 'no-next-cursor' }],
  { minItems: 1, maxItems: 16 },
);

export const totalSchema: Schema = object(
  {
    path: place('Where the total stands', '/total'),
    relation: oneOf(['exact', 'estimate', 'lower-bound'], 'What it promises.'),
    relationAt: object(
      {
        path: place('Where the answer says which it is', '/hits/total/relation'),
        exact: scalars('Values that mean exact; any other is a lower bound.', ['eq']),
      },
      'Where the answer itself says what its total is.',
    ),
    saturatesAt: count('It never says more than this: a total of at least so many is a lower bound.', 10_000, { minimum: 1 }),
    counts: oneOf(
      ['all', 'remaining', 'page'],
      'all: every record that the request matches. remaining: those from this page on. page: this page’s only, which is no total.',
      { default: 'all' },
    ),
    firstPageOnly: flag('It stands on the first page only.', false),
    optional: flag('It may be left out.', false),
    countedBeforeAccess: flag(
      'Counted before access rules: a total above what was read is `visibility-limited`, else `total-mismatch`.',
      false,
    ),
  },
  'The source’s count.',
  ['relationAt', 'saturatesAt'],
);

const cap = object(
  {
    unit: oneOf(
      ['records', 'page-records', 'pages', 'offset', 'total'],
      'records: of the whole read. page-records: of one page. pages: of the whole read. offset: the position behind a page. total: what the total says.',
    ),
    value: count('Reached at this value and above.', 1_000, { minimum: 1 }),
    overflow: oneOf(['silent-stop', 'error', 'clamp', 'flag', 'repeat-last'], 'What the source does there; for people.', {
      default: 'silent-stop',
    }),
    documentedAt: documentedAt('it'),
  },
  'A limit of the source at which an answer is not the whole.',
  ['documentedAt'],
);

export const capsSchema: Schema = list(cap, 'Limits of the source. Touching one is `cap-reached`.', [{ unit: 'records', value: 1_000 }], {
  default: [],
});

export const orderSchema: Schema = object(
  {
    by: text('Where the value stands in one item (JSON Pointer, RFC 6901)', '/id', { pattern: '^(/([^~/]|~[01])*)+$' }),
    compare: oneOf(['number', 'text', 'instant'], 'How two values compare.'),
    direction: oneOf(['ascending', 'descending'], 'Which comes first.', { default: 'ascending' }),
  },
  'The order that the source promises. A row out of order, or equal to its neighbour, is `order-unproven`.',
);
