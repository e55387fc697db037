import { IDENTIFIER_NAME, NAME, flag, instant, list, mapOf, object, oneOf, text, type Schema } from './field.js';
import { normalisers } from './identifier-schema.js';
import { reasonField } from './answer-schema.js';
import { HEADER, PARAMETER, pointer } from './places.js';

export const attestation = (description: string): Schema =>
  object({ by: text('Who says so.', 'platform team'), until: instant('Until when it holds.') }, description);

/** One parameter of the request, named by exactly one of three. */
const parameter: Readonly<Record<string, Schema>> = {
  query: text('A query parameter.', 'allow_partial_search_results', { pattern: PARAMETER }),
  header: text('A header, in lower case.', 'consistencylevel', { pattern: HEADER }),
  body: pointer('A member of the body', '/track_total_hits', { minLength: 1 }),
};

const byOneName = (schema: Schema): Schema => ({
  ...schema,
  anyOf: [{ required: ['query'] }, { required: ['header'] }, { required: ['body'] }],
  dependentSchemas: {
    query: { not: { anyOf: [{ required: ['header'] }, { required: ['body'] }] } },
    header: { not: { required: ['body'] } },
  },
});

const NAMES = ['query', 'header', 'body'];
const valueOf = (description: string): Schema => text(description, 'false', { minLength: 0 });

export const comparisonSchema: Schema = mapOf(
  IDENTIFIER_NAME,
  object(
    {
      by: oneOf(
        ['equality', 'prefix', 'contains', 'tokens', 'fuzzy', 'unknown'],
        'How the source compares it. tokens and fuzzy can leave out a record that agrees.',
      ),
      normalise: normalisers(
        'What the source does to both sides before. It must hold every normaliser of the identifier’s rule, and those of `near`.',
        { default: [] },
      ),
    },
    'How one identifier is compared.',
  ),
  'How the source compares an identifier that is sent as a filter. One that is sent and not listed is compared in an unknown way.',
  { account: { by: 'equality', normalise: [] } },
  { default: {} },
);

const hazard = object(
  {
    name: text('Its name.', 'search-cutoff', { pattern: NAME }),
    what: text('What can happen.', 'A search stops after 1500 ms and does not say so.'),
    documentedAt: text('Where it is documented or reported.', 'https://example.org/docs/search'),
    reason: reasonField('The doubt that it is while nobody attests that it is not so.', { default: 'partial-answer' }),
    liftedBy: byOneName(
      object({ ...parameter, value: valueOf('Its value; absent: any.') }, 'A parameter whose being sent takes the hazard away.', [
        ...NAMES,
        'value',
      ]),
    ),
  },
  'Something that can make an answer less than whole without any trace in it.',
  ['documentedAt', 'liftedBy'],
);

export const hazardsSchema: Schema = list(hazard, 'What no answer shows. Each must be lifted or attested, else it is its reason.', [], {
  default: [],
});

export const attestedSchema: Schema = mapOf(
  NAME,
  attestation('Who says that the hazard does not exist here, and until when.'),
  'Attestations by the name of a hazard, a preset’s or this source’s own.',
  { 'search-cutoff': { by: 'platform team', until: '2027-06-30T00:00:00.000Z' } },
  { default: {} },
);

export const requiresSchema: Schema = list(
  byOneName(
    object(
      {
        ...parameter,
        value: valueOf('The value that it must have; absent: any.'),
        absent: flag('It must not be sent, or not with that value.', false),
        why: text('What depends on it.', 'Without it timed_out is not set.'),
      },
      'One parameter.',
      [...NAMES, 'value'],
    ),
  ),
  'What must be sent (or must not), else the flags or the end mean nothing (`scope-unverified`).',
  [{ query: 'allow_partial_search_results', value: 'false', why: 'Else shards may be missing.' }],
  { default: [] },
);

export const projectionSchema: Schema = object(
  {
    in: oneOf(['query', 'body'], 'Where the parameter is sent.', { default: 'query' }),
    name: text('Its name; in the body a JSON Pointer.', 'fields', { maxLength: 200 }),
    contains: list(text('A field.', 'nextPageToken'), 'Fields that it must name when it is sent.', ['nextPageToken'], { minItems: 1 }),
    required: flag('Without the parameter the source leaves the fields out too.', false),
  },
  'A parameter that chooses the fields of the answer: sent, it must name those that the contract reads (`scope-unverified`).',
);
