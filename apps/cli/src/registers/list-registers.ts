/** `lacuna registers`: what can be asked, and with which identifiers. */
import type { Colours } from '../colours.js';
import { showAnswer, type ShowOptions } from '../gateway/show-answer.js';
import { printableLine } from '../printable.js';
import type { Surroundings } from '../surroundings.js';

interface Register {
  readonly name: string;
  readonly version: string;
  readonly owner: string;
  readonly policy: string;
  readonly target: string | null;
  readonly identifiers: readonly {
    readonly name: string;
    readonly kind: string;
    readonly optional: boolean;
    readonly format: string | null;
  }[];
}

export async function listRegisters(options: ShowOptions, surroundings: Surroundings): Promise<void> {
  await showAnswer({ method: 'GET', path: 'v1/registers' }, options, surroundings, (answer: { items: readonly Register[] }, colours) =>
    Array.isArray(answer.items) ? registersText(answer.items, colours) : null,
  );
}

function registersText(registers: readonly Register[], colours: Colours): string {
  const blocks = registers.flatMap(({ name, version, owner, policy, target, identifiers }) => [
    `${colours.cyan(printableLine(name))}  ${printableLine(`version ${version}, owner ${owner}`)}`,
    ...identifiers.map(identifierLine),
    `  ${printableLine(target ? `creates in ${target}, policy ${policy}` : 'creates nothing')}`,
  ]);
  return `${[`${registers.length} registers`, ...blocks].join('\n')}\n`;
}

function identifierLine({ name, kind, optional, format }: Register['identifiers'][number]): string {
  return `  ${printableLine([`${name}=...`, kind, optional && 'optional', format && `form ${format}`].filter(Boolean).join('  '))}`;
}
