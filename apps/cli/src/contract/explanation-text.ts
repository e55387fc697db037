import type { Explained, ExplainedSource } from '@lacuna/connectors';
import type { Colours } from '../colours.js';
import { printableLine } from '../printable.js';

const HEADINGS = [
  ['reading', 'How it is read'],
  ['rows', 'Where the records are'],
  ['continuing', 'How it continues'],
  ['end', 'What ends it'],
  ['worth', 'What makes an answer worthless'],
] as const;

export function explanationText({ kind, name, sources }: Extract<Explained, { ok: true }>, colours: Colours): string {
  const blocks = sources.map((source) => sourceLines(source, colours).join('\n'));
  return `${[`${kind} ${colours.cyan(printableLine(name))}`, ...blocks].join('\n\n')}\n`;
}

function sourceLines({ source, role, leftOpen, strength }: ExplainedSource, colours: Colours): string[] {
  const { obstacles, conditions, statements } = strength;
  const why = obstacles.map(({ path, reason, doubt }) => `${reason}: ${doubt}  ${colours.dim(path)}`);
  return [
    `${colours.cyan(printableLine(source))}  ${headline(role, strength, colours)}`,
    ...section('', why),
    ...section('Left to the register that names it', leftOpen),
    ...HEADINGS.flatMap(([about, heading]) =>
      section(
        heading,
        statements.filter((statement) => statement.about === about).map(({ text }) => text),
      ),
    ),
    ...section(
      strength.canSupport ? 'It supports a no-match where it is read to its end without a doubt, and' : 'Even without that it would need',
      conditions.map(({ text }) => text),
    ),
  ];
}

function headline(role: ExplainedSource['role'], { canSupport, obstacles }: ExplainedSource['strength'], colours: Colours): string {
  if (role === 'candidates') return 'can only add candidates: its role is candidates';
  if (role === 'lookup') return 'is read only to validate an identifier';
  if (canSupport) return colours.green('can support a no-match');
  return colours.yellow(`can only hold, for ${obstacles.length === 1 ? 'this reason' : `these ${obstacles.length} reasons`}:`);
}

function section(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [...(heading === '' ? [] : [`  ${heading}`]), ...lines.map((line) => `    - ${printableLine(line)}`)];
}
