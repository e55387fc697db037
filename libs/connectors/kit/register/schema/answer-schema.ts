import { reasonCodes, type ReasonCode } from '@lacuna/evidence';
import { IDENTIFIER_NAME, count, flag, list, mapOf, object, oneOf, text, type Schema } from './field.js';
import { PARAMETER, place, pointer, pointers, scalars } from './places.js';

const NO_DOUBT: readonly ReasonCode[] = ['end-signalled', 'match-found', 'match-elsewhere', 'unlisted-reason'];
const doubts = reasonCodes.filter((code) => !NO_DOUBT.includes(code));

export const reasonField = (description: string, more: Schema = {}): Schema => oneOf(doubts, description, more);

const sameAsSent: Schema = {
  type: 'object',
  description: 'Equal to what was asked: an answer that repeats the filter or the range.',
  examples: [{ identifier: 'account' }],
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  properties: {
    query: text('A parameter of `request.query`.', 'from', { pattern: PARAMETER }),
    identifier: text('An identifier.', 'account', { pattern: IDENTIFIER_NAME }),
  },
};

const answerFlag: Schema = object(
  {
    path: place('Where it stands', '/partial'),
    clean: scalars('Values that mean a whole answer. Any other value is the reason, of whatever type.', [false], { default: [] }),
    cleanWhenEmpty: flag('Null, 0 and an empty text, list or object mean a whole answer too: for lists of errors and counts.', false),
    sameAs: place('Clean when equal to this other place, such as successful to total shards', '/_shards/total'),
    sameAsSent,
    each: pointer('Every entry of the list or object there must be clean, at this place within it; empty: the entry itself', '/status'),
    members: list(
      text('A member.', 'eu'),
      'Members that the object (or texts that the list) must have: the sub-sources that belong to the scope.',
      ['eu', 'us'],
      { default: [] },
    ),
    reason: reasonField('What any value means that is not clean.', { default: 'partial-answer' }),
    required: flag('An answer without this path is `metadata-missing`; where not required, it is clean.', true),
  },
  'A part of a readable answer that can make it less than whole.',
  ['sameAs', 'sameAsSent', 'each'],
);

export const answerFlags = (description: string): Schema =>
  list(answerFlag, description, [{ path: '/partial', clean: [false] }], { default: [] });

const errorMatch: Schema = {
  ...object(
    {
      status: list({ type: 'integer', minimum: 100, maximum: 599 }, 'HTTP statuses; absent: any.', [410], { minItems: 1 }),
      path: place('What stands in the answer', '/error/code'),
      values: scalars('Values there; absent: its presence is enough.', ['expired']),
      contains: text('Text that the value there contains, in any case.', 'cursor'),
      reason: reasonField('What it means.'),
    },
    'An answer that is no page.',
    ['status', 'path', 'values', 'contains'],
  ),
  minProperties: 2,
  dependentRequired: { values: ['path'], contains: ['path'] },
};

export const errorsSchema: Schema = list(
  errorMatch,
  'Answers that are no page. The first that fits says the reason; looked for in every answer, whatever its status.',
  [{ status: [410], reason: 'cursor-expired' }],
  { default: [] },
);

export const retryAfterSchema: Schema = list(
  object(
    {
      path: place('Where it stands', { header: 'retry-after' }),
      unit: oneOf(['http-date-or-seconds', 'seconds', 'milliseconds', 'epoch-seconds', 'epoch-milliseconds'], 'What it is.', {
        default: 'http-date-or-seconds',
      }),
    },
    'One place.',
  ),
  'How long the source asks to be left alone.',
  [{ path: { header: 'x-ratelimit-reset' }, unit: 'epoch-seconds' }],
  { default: [{ path: { header: 'retry-after' }, unit: 'http-date-or-seconds' }] },
);

export const recordSchema: Schema = object(
  {
    id: pointers('The id; a list where only several values together are one', '/id'),
    version: pointer('Whatever changes when the record changes', '/version'),
    status: pointer('The status', '/status'),
    followTo: pointer('Id of the record that a merged one was merged into', '/merged_into'),
    fields: mapOf(
      IDENTIFIER_NAME,
      pointer('Place of this identifier', '/reference'),
      'Where each identifier stands. Every key must have a place.',
      { reference: '/reference' },
      { default: {} },
    ),
  },
  'Where things stand in one item.',
  ['version', 'status', 'followTo'],
);

export const stateSchema: Schema = object(
  {
    path: place('Where the state stands', '/jobComplete'),
    finished: scalars('Values of a finished answer.', [true]),
    running: scalars('Values of one that is still being made; any other value is `response-invalid`.', [false]),
    pollDelayMs: count('Time between two questions.', 1_000, { minimum: 1, maximum: 600_000, default: 1_000 }),
    pollsMax: count('Questions for one page; still running then is `job-unfinished`.', 30, { minimum: 1, maximum: 1_000, default: 30 }),
  },
  'An answer that is valid only in a finished state. While running, the same request is asked again.',
);

export const unwrapSchema: Schema = object(
  { path: pointer('Where the text stands', '/result/content/0/text'), into: pointer('Where the parsed JSON is put', '/parsed') },
  'A text of the body that is JSON itself. Not parseable: `response-invalid`.',
);

export const watermarkSchema: Schema = object(
  {
    path: place('Where it stands', '/as_of'),
    unit: oneOf(['iso', 'epoch-seconds', 'epoch-milliseconds'], 'How it is written.', { default: 'iso' }),
  },
  'Moment up to which the answer was true, by the source’s clock. It can move the boundary back, never forward.',
);
