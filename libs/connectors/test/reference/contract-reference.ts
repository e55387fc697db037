/** docs/reference/contract.md, from the schema and from examples that a test checks. */
import { catalogue, reasonCodes } from '@lacuna/evidence';
import { httpProperties } from '../../kit/register/schema/http-schema.js';
import { sourceProperties } from '../../kit/register/schema/source-schema.js';
import type { Schema } from '../../kit/register/schema/field.js';
import { branchRows, rowsOf, tableOf } from './field-rows.js';
import {
  authExamples,
  endExamples,
  layerExamples,
  pagingExamples,
  requestExamples,
  rowExamples,
  sightExamples,
  timeExamples,
  whole,
  worthExamples,
  type ReferenceExample,
} from './examples.js';
import { intro, layersText, sharedForms, sectionTexts } from './texts.js';

const fieldsOf = (names: readonly string[]): string =>
  tableOf(
    names.flatMap((name) => {
      const [first, second] = name.split('.');
      return second === undefined
        ? rowsOf(name, sourceProperties[name] as Schema, { required: ['name', 'method', 'authority', 'connect'] })
        : rowsOf(`${first}.${second}`, httpProperties[second] as Schema, {
            required: ['url', 'request', 'items', 'record', 'paging', 'end'],
          });
    }),
  );

const exampleText = ({ title, text, holds }: ReferenceExample): string =>
  `${title}${holds === undefined ? '' : ` (${holds.map((code) => `\`${code}\``).join(', ')})`}:\n\n\`\`\`yaml\n${text.trim()}\n\`\`\``;

const examples = (list: readonly ReferenceExample[]): string => list.map(exampleText).join('\n\n');

const choiceText = (field: string, schema: Schema, by: string): string =>
  branchRows(field, schema, by)
    .map(({ value, meaning, rows }) => `#### \`${by}: ${value}\`\n\n${meaning}${rows.length === 0 ? '' : `\n\n${tableOf(rows)}`}`)
    .join('\n\n');

const reasonsText = (): string =>
  reasonCodes
    .filter((code) => !['end-signalled', 'match-found', 'match-elsewhere', 'unlisted-reason'].includes(code))
    .map((code) => `| \`${code}\` | ${catalogue[code].meaning} |`)
    .join('\n');

const item = (schema: Schema | undefined): Schema => (schema?.['items'] ?? {}) as Schema;

/** In the order in which one writes a contract. Every field of the schema stands in one of these (a test compares). */
export const SECTIONS: readonly { readonly title: string; readonly fields: readonly string[] }[] = [
  {
    title: '1. The request',
    fields: [
      'connect.type',
      'connect.language',
      'connect.url',
      'connect.auth',
      'connect.request',
      'connect.open',
      'connect.confirm',
      'connect.close',
    ],
  },
  {
    title: '2. Where the rows are',
    fields: ['connect.format', 'connect.unwrap', 'connect.state', 'connect.items', 'connect.itemsAbsent', 'connect.record'],
  },
  { title: '3. How it continues', fields: ['connect.paging'] },
  { title: '4. What ends it', fields: ['connect.end', 'connect.total'] },
  {
    title: '5. What makes it worthless',
    fields: [
      'connect.caps',
      'connect.flags',
      'connect.errors',
      'connect.notFound',
      'connect.noContent',
      'connect.snapshot',
      'connect.order',
      'requires',
      'projection',
      'hazards',
      'attested',
    ],
  },
  { title: '6. Time', fields: ['lagMaxMs', 'recentExcludedMs', 'drift', 'orderKept', 'connect.watermark'] },
  {
    title: '7. Sight',
    fields: ['name', 'role', 'method', 'authority', 'copyOf', 'visibility', 'attestation', 'comparison', 'optionalFields', 'connect.byId'],
  },
  {
    title: '8. Means',
    fields: ['connect.retryAfter', 'connect.retries', 'connect.rateLimit', 'connect.requestTimeoutMs', 'connect.responseBytesMax'],
  },
  { title: '9. Layers', fields: ['presets'] },
];

const BESIDE: Readonly<Record<string, string>> = {
  '1. The request': `### Credentials\n\n${choiceText('connect.auth', httpProperties['auth'] as Schema, 'kind')}\n\n${examples(authExamples)}\n\n### Examples\n\n${examples(requestExamples)}`,
  '2. Where the rows are': examples(rowExamples),
  '3. How it continues': `${choiceText('connect.paging', httpProperties['paging'] as Schema, 'kind')}\n\n### Examples\n\n${examples(pagingExamples)}`,
  '4. What ends it': `${choiceText('connect.end[]', item(httpProperties['end']), 'by')}\n\n### Examples\n\n${examples(endExamples)}`,
  '5. What makes it worthless': `### Examples\n\n${examples(worthExamples)}`,
  '6. Time': examples(timeExamples),
  '7. Sight': examples(sightExamples),
  '9. Layers': `${layersText}\n\n${examples(layerExamples)}`,
};

export const contractReference = (): string =>
  [
    intro,
    exampleText(whole),
    sharedForms,
    ...SECTIONS.map(({ title, fields }) =>
      [`## ${title}`, sectionTexts[title] ?? '', fieldsOf(fields), BESIDE[title] ?? ''].filter(Boolean).join('\n\n'),
    ),
    `## Reasons\n\nA flag, an error or a hazard names one of these. Any of them holds, whatever else was read.\n\n| reason | meaning |\n| --- | --- |\n${reasonsText()}`,
  ].join('\n\n') + '\n';
