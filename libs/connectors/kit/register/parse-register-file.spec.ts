import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseRegisterFile } from './parse-register-file.js';

const example = readFileSync(new URL('../../../../registers/service-requests-http.yaml', import.meta.url), 'utf8');

/** The example with one place changed; the place must be there. */
const changed = (from: string, to: string): string => {
  if (!example.includes(from)) throw new Error(`the example lacks ${from}`);
  return example.replace(from, to);
};

const lineOf = (text: string): number => example.slice(0, example.indexOf(text)).split('\n').length;

const problemsOf = (text: string): readonly string[] => {
  const parsed = parseRegisterFile(text, 'r.yaml');
  return parsed.ok ? [] : parsed.problems.map(({ file, line, path, reason }) => `${file}:${line} ${path} ${reason}`);
};

describe('a register file', () => {
  // Fails if a default is not written out: the hash of a register would depend on the version of this library.
  it('is expanded with every default', () => {
    const parsed = parseRegisterFile(example, 'r.yaml');
    expect(parsed).toMatchObject({
      ok: true,
      register: {
        clockSkewMaxMs: 1_000,
        toleranceMs: 1_000,
        moves: { kind: 'none' },
        acceptedDoubts: [],
        budget: { pagesMax: 1_000, recordsMax: 1_000_000, bytesMax: 268_435_456, elapsedMsMax: 120_000 },
        attempts: { attemptsMax: 3, elapsedMsMax: 30_000 },
        holds: { autoReruns: 2, autoRerunDelayMs: 60_000 },
        sources: [
          {
            optionalFields: [],
            predicate: 'wider',
            contractDoubts: [],
            connect: {
              language: 1,
              auth: { kind: 'none' },
              request: { method: 'GET', headers: {} },
              notFound: 'source-unavailable',
              flags: [],
              paging: { send: { in: 'query', name: 'cursor' }, cursorAtEnd: 'never' },
            },
          },
        ],
      },
    });
  });

  it('takes the clock skew as tolerance where none is given', () => {
    const parsed = parseRegisterFile(changed('policy: auto', 'clockSkewMaxMs: 7\npolicy: auto'), 'r.yaml');
    expect(parsed).toMatchObject({ ok: true, register: { toleranceMs: 7 } });
  });

  // Each fails if a mistake is let through, or named at another line than its own.
  it.each([
    ['an unknown field', 'policy: auto', 'polizy: auto', '/polizy is no field of a register'],
    ['an unknown field far inside', 'items: /items', 'itemz: /items', '/sources/0/connect/itemz is no field of a register'],
    ['an unknown value', 'drift: keyset', 'drift: stable', '/sources/0/drift must be one of none, single-response'],
    ['a wrong type', 'size: 100', 'size: many', '/sources/0/connect/paging/pageSize/size must be integer'],
    ['a secret written out', '{ env: LACUNA_SOURCE_SAMPLE_URL }', 'http://h', '/sources/0/connect/url must be object'],
    ['a pointer that is none', 'items: /items', 'items: items', '/sources/0/connect/items must match pattern'],
    ['a tag of YAML', 'policy: auto', 'policy: !!binary YXV0bw==', ' '],
    ['a duplicate key', 'policy: auto', 'policy: auto\npolicy: auto', ' Map keys must be unique'],
    ['an alias', "version: '1'", "version: &v '1'", ' anchors, aliases and tags'],
    ['broken YAML', 'policy: auto', 'policy: [auto', ' '],
    ['a key that has no place', ', instance: /instance }', ' }', '/sources/0/connect/record/fields the key instance has no place'],
    ['a place for no identifier', 'instance: /instance', 'instanze: /instance', '/sources/0/connect/record/fields'],
    [
      'a question’s value that nobody gives',
      '{ identifier: account }',
      '{ identifier: acount }',
      '/sources/0/connect/request/query/account acount is not',
    ],
    [
      'an end that its paging cannot signal',
      'end: [{ by: no-next-cursor }',
      'end: [{ by: single-answer, documentedAt: x }',
      '/sources/0/connect/end single-answer',
    ],
    [
      'an end by a total alone over a cursor',
      'end: [{ by: no-next-cursor }, { by: flag, path: /has_more, ends: [false], continues: [true] }]',
      'end: [{ by: total }]',
      '/sources/0/connect/end total or short-page over a cursor',
    ],
    [
      'a flag that nothing satisfies',
      'items: /items',
      'flags: [{ path: /partial, reason: partial-answer }]\n      items: /items',
      '/sources/0/connect/flags/0 says no value that is clean',
    ],
    [
      'a flag by its bad values',
      'items: /items',
      'flags: [{ path: /partial, equals: [true], reason: partial-answer }]\n      items: /items',
      '/sources/0/connect/flags/0/equals is no field',
    ],
    ['a snapshot without an id', 'drift: keyset', 'drift: snapshot', '/sources/0/drift snapshot needs'],
    ['what the core refuses: a lag without bound', 'lagMaxMs: 0', 'lagMaxMs: null', '/sources/0/lagMaxMs its lag has no known bound'],
    [
      'what the core refuses: an approximate source that decides',
      'method: enumeration',
      'method: approximate',
      '/sources/0/method an approximate',
    ],
    ['a format that can take for ever', "'ACC-[0-9]{6}'", "'([a-z]+)*x'", '/identifiers/account/format repeats a group'],
    ['a format that is none', "'ACC-[0-9]{6}'", "'ACC-['", '/identifiers/account/format not a valid'],
  ])('with %s is refused', (_name, from, to, problem) => {
    const problems = problemsOf(changed(from, to));
    const found = problems.find((each) => each.includes(problem)) ?? problems.join('\n');
    expect(found).toContain(problem);
    expect(found).toMatch(new RegExp(`^r\\.yaml:(${lineOf(from)}|${lineOf(from) + 1}) `));
  });

  // Fails if an absent cursor ends a read although nobody has said that it does.
  it('with a cursor of which nothing says that there is none is refused, but beside the last row', () => {
    const without = example.replace("noCursor: ['null'], ", '');
    expect(problemsOf(without)[0]).toContain('/sources/0/connect/paging lacks noCursor');
    expect(problemsOf(without.replace('next: /next_cursor', 'next: { lastRow: /id }'))).toEqual([]);
  });

  it('names the line and column of the node that is wrong', () => {
    const parsed = parseRegisterFile('name: x\nowner:\n  name: Desk\n  kontact: y\n', 'r.yaml');
    const found = parsed.ok ? [] : parsed.problems.filter(({ path }) => path.startsWith('/owner'));
    expect(found).toEqual([
      { file: 'r.yaml', line: 2, column: 1, path: '/owner', reason: 'lacks contact', kind: 'invalid' },
      { file: 'r.yaml', line: 4, column: 3, path: '/owner/kontact', reason: 'is no field of a register', kind: 'invalid' },
    ]);
  });

  it.each(['', '[]', 'null', '3', '? {a: b}\n: c', '--- a\n--- b', '\t', '\0'])('that is %j is refused without an exception', (text) => {
    expect(problemsOf(text)).not.toEqual([]);
  });

  // Fails if aliases are expanded before they are refused: a few lines can stand for gigabytes.
  it('with aliases within aliases is refused at once', () => {
    const bomb = [
      'a: &a [x,x]',
      ...'bcdefghijklmnop'.split('').map((name, at) => `${name}: &${name} [${`*${'abcdefghijklmnop'[at]},`.repeat(9)}]`),
    ];
    expect(problemsOf(bomb.join('\n'))[0]).toContain('anchors, aliases');
  });
});
