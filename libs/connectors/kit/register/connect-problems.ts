/** What the schema cannot say of a register's sources: parts that contradict one another, and names that nothing has. */
import { keysOf, lookupRules } from '@lacuna/evidence';
import type { PostgresConnect } from './connect.js';
import { formatProblem } from './format-bound.js';
import { httpProblems } from './http-problems.js';
import type { DocumentSource, RegisterDocument } from './register-document.js';

export interface DocumentProblem {
  /** JSON Pointer into the register. */
  readonly path: string;
  readonly reason: string;
  /** `never-supports`: well formed, but no answer could make it support a no-match. Absent: `invalid`. */
  readonly kind?: 'invalid' | 'never-supports';
}

export const connectProblems = (register: RegisterDocument): readonly DocumentProblem[] => [
  ...Object.entries(register.identifiers).flatMap(([name, rule]) => {
    const reason = rule.format === undefined ? null : formatProblem(rule.format);
    return reason === null ? [] : [{ path: `/identifiers/${name}/format`, reason }];
  }),
  ...targetProblems(register),
  ...register.sources.flatMap((source, at) =>
    sourceProblems(register, source).map(({ path, reason }) => ({ path: `/sources/${at}${path}`, reason })),
  ),
];

/** A send that is still under way is behind no horizon. */
const targetProblems = ({ target }: RegisterDocument): readonly DocumentProblem[] =>
  target?.kind === 'outside' && target.sendHorizonMs <= target.create.requestTimeoutMs
    ? [{ path: '/target/sendHorizonMs', reason: 'not more than create.requestTimeoutMs: a send could still be under way' }]
    : [];

const sourceProblems = (register: RegisterDocument, source: DocumentSource): readonly DocumentProblem[] => {
  const known = Object.keys(register.identifiers);
  const { connect } = source;
  return [
    ...fieldProblems(register, source),
    ...contractProblems(source, known),
    ...(connect.type === 'http' ? httpProblems(source, connect, known) : postgresProblems(source, connect)),
  ];
};

const NOT_KNOWN = 'not an identifier of this register';

const fieldProblems = (register: RegisterDocument, { name, connect, optionalFields, role }: DocumentSource): DocumentProblem[] => {
  const [path, fields] = connect.type === 'http' ? ['/connect/record/fields', connect.record.fields] : ['/connect/fields', connect.fields];
  const known = Object.keys(register.identifiers);
  const keys = role === 'lookup' ? Object.keys(lookupRules(register, name)) : keysOf(register.identifiers);
  return [
    ...keys
      .filter((key) => !(key in fields))
      .map((key) => ({ path, reason: `the ${role === 'lookup' ? 'identifier' : 'key'} ${key} has no place` })),
    ...Object.keys(fields).flatMap((name) => (known.includes(name) ? [] : [{ path: `${path}/${name}`, reason: NOT_KNOWN }])),
    ...optionalFields.flatMap((name, at) => (known.includes(name) ? [] : [{ path: `/optionalFields/${at}`, reason: NOT_KNOWN }])),
  ];
};

const contractProblems = ({ contract }: DocumentSource, known: readonly string[]): DocumentProblem[] => {
  const hazards = contract.hazards.map(({ name }) => name);
  return [
    ...Object.keys(contract.comparison).flatMap((name) =>
      known.includes(name) ? [] : [{ path: `/comparison/${name}`, reason: NOT_KNOWN }],
    ),
    ...Object.keys(contract.attested).flatMap((name) =>
      hazards.includes(name) ? [] : [{ path: `/attested/${name}`, reason: 'not a hazard of this source or of its presets' }],
    ),
    ...hazards.flatMap((name, at) =>
      hazards.indexOf(name) === at ? [] : [{ path: `/hazards/${at}`, reason: `${name} is declared twice` }],
    ),
  ];
};

const postgresProblems = (source: DocumentSource, _connect: PostgresConnect): DocumentProblem[] => [
  ...(source.method === 'approximate' ? [{ path: '/method', reason: 'a table is read by exact-lookup or enumeration' }] : []),
  ...(source.drift === 'snapshot' ? [] : [{ path: '/drift', reason: 'a table is read in one snapshot: say snapshot' }]),
];
