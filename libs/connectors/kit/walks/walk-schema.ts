/** The published JSON Schema of a walk file (docs/schemas/walk.schema.json), but for its register, which the register's own schema checks. */
import { IDENTIFIER_NAME, NAME, count, flag, instant, list, mapOf, object, oneOf, text, type Schema } from '../register/schema/field.js';

const TIMES_MAX = 100_000;
const RESPONSES_MAX = 1_000;

const anything = (description: string, example: unknown): Schema => ({ description, examples: [example] });

const texts = (description: string, example: unknown): Schema =>
  mapOf('^.{1,200}$', { type: 'string', maxLength: 10_000, description: 'Its value.', examples: ['2'] }, description, example);

const reasons = (description: string, example: readonly string[]): Schema =>
  list(text('A code of the catalogue (docs/reference/reasons.md).', 'cursor-expired', { maxLength: 63 }), description, example, {
    uniqueItems: true,
  });

const request = (description: string, more: Readonly<Record<string, Schema>> = {}): Schema =>
  object(
    {
      method: oneOf(['GET', 'POST'], 'Its method.'),
      path: text('Its path, without the query.', '/tickets'),
      query: texts('Query parameters it has, by value; others may be there too.', { page: '2' }),
      without: list(text('A query parameter.', 'cursor'), 'Query parameters that it does not have.', ['cursor']),
      headers: texts('Headers it has, names in lower case.', { 'x-page': '2' }),
      body: anything('What its JSON body holds: of an object the named members, anything else whole.', { cursor: 'c2' }),
      source: text('The source that is asked, where there are several.', 'ledger', { pattern: NAME }),
      ...more,
    },
    description,
    ['method', 'path', 'query', 'without', 'headers', 'body', 'source', ...Object.keys(more)],
  );

const response = object(
  {
    when: request(
      'Answers requests like this, before any that is given in order, and as often as they come unless `times` says otherwise.',
    ),
    times: count('How often it is used.', 50, { minimum: 1, maximum: TIMES_MAX }),
    status: count('HTTP status; 200 if left out.', 200, { minimum: 200, maximum: 599 }),
    headers: texts('Headers. content-type is application/json unless it stands here; an empty one is left out.', {
      link: '<{origin}/d?page=2>; rel="next"',
    }),
    json: anything('The body as JSON.', { items: [] }),
    text: text('The body as it is.', '<html></html>', { minLength: 0, maxLength: 1_000_000 }),
    base64: text('The body as bytes.', 'H4sIAAA=', { maxLength: 1_000_000 }),
    delayMs: count('How much later it comes, by the walk’s clock; beyond the contract’s requestTimeoutMs it never comes.', 6_000, {
      maximum: 86_400_000,
    }),
    close: oneOf(
      ['before-headers', 'in-body', 'after-body'],
      'Where the connection breaks. after-body: the whole body was sent, but not its end (chunked).',
    ),
  },
  'One answer. At most one of json, text and base64.',
  ['when', 'times', 'status', 'headers', 'delayMs', 'json', 'text', 'base64', 'close'],
);

const script = list(response, 'Answers, in order; those with `when` by what is asked.', [{ json: { items: [] } }], {
  maxItems: RESPONSES_MAX,
});

const expectation = object(
  {
    verdict: oneOf(['match-review', 'scoped-no-match', 'evidence-hold'], 'The verdict.'),
    reasons: reasons('Reasons that the decision has, among others.', ['cursor-expired']),
    reasonsExactly: reasons('All reasons that the decision has.', ['end-signalled']),
    not: reasons('Reasons that it has not.', ['drift-possible']),
    requests: {
      type: ['integer', 'array'],
      description: 'How many requests were made, or each of them in order.',
      examples: [3],
      minimum: 0,
      maximum: TIMES_MAX,
      maxItems: RESPONSES_MAX,
      items: request('One request.'),
    },
    refused: flag(
      'The register would be refused when it is loaded: no answer could make it support a no-match. The walk is run all the same.',
      false,
    ),
    unscripted: flag('Requests were made that no answer is written for.', false),
    count: {
      ...count('Of kind enumerate: how many records; null where none may be claimed.', 3),
      type: ['integer', 'null'],
    },
  },
  'What must come of it. The engine never sees this part.',
  ['reasons', 'reasonsExactly', 'not', 'requests', 'count'],
);

/** `register` is checked by its own schema, once its defaults are in. */
export const walkSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:lacuna:schema:walk',
  title: 'Lacuna walk file',
  ...object(
    {
      name: text('What it shows, as a sentence.', 'An empty middle page goes on'),
      about: text('Where the behaviour is documented or reported.', 'https://example.org/docs/paging', { maxLength: 2_000 }),
      case: text('A case it was made from.', 'B01', { maxLength: 63 }),
      twin: flag('The innocent twin of another walk: reported apart.', false),
      register: {
        type: 'object',
        description:
          'A register (docs/schemas/register.schema.json). What a walk does not need has a default: see docs/how-to/write-a-walk.md.',
        examples: [{ identifiers: { email: { kind: 'key', normalise: [] } }, sources: [{ presets: ['stripe-list'] }] }],
        required: ['sources'],
      },
      question: object(
        {
          kind: oneOf(['exists', 'gone', 'enumerate'], 'What is asked.', { default: 'exists' }),
          identifiers: mapOf(
            IDENTIFIER_NAME,
            { type: 'string', minLength: 1, maxLength: 1_000, description: 'Its value.', examples: ['a@example.org'] },
            'The identifiers asked for.',
            { email: 'a@example.org' },
          ),
          needsAsOfMs: count('The moment that must be seen, from the start of the walk; negative is earlier.', -60_000, {
            minimum: -31_536_000_000,
            maximum: 31_536_000_000,
          }),
        },
        'The question.',
        ['needsAsOfMs'],
      ),
      clock: {
        ...object({ startAt: instant('When it begins.') }, 'The clock, which only waits and delays move.', ['startAt']),
        default: {},
      },
      // Keywords look at their own type only, as in a place: an `anyOf` has errors that nobody understands.
      responses: {
        type: ['array', 'object'],
        description: 'The answers of the source, or of each source by its name.',
        examples: [[{ json: { items: [] } }]],
        items: response,
        maxItems: RESPONSES_MAX,
        propertyNames: { pattern: NAME },
        additionalProperties: script,
        maxProperties: 64,
      },
      expect: expectation,
    },
    'One search over scripted answers, and what must come of it.',
    ['about', 'case'],
  ),
};
