/** `lacuna contract check`: a contract against its live source. */
import {
  checkContract,
  egressProblem,
  loadContract,
  secretsOf,
  type CheckInputs,
  type ContractCheck,
  type Egress,
} from '@lacuna/connectors';
import { CliError, exitCodes } from '../cli-error.js';
import { coloursFor, type Colours } from '../colours.js';
import { printableLine } from '../printable.js';
import type { Surroundings } from '../surroundings.js';
import { namedContract, problemsText, type ContractOptions } from './explain-contract.js';

export interface CheckOptions extends ContractOptions {
  readonly sourceUrl: string;
  readonly source?: string;
  readonly identifiers?: readonly string[];
  readonly pages: number;
}

type Source = CheckInputs['source'];

export async function check(named: string, options: CheckOptions, surroundings: Surroundings): Promise<number> {
  const { text, file } = await namedContract(named);
  const loaded = loadContract(text, file);
  if (!loaded.ok) throw new CliError(problemsText(loaded.problems));
  const needed = loaded.leftOpen.filter((path) => path.startsWith('connect.'));
  if (needed.length > 0)
    throw new CliError(`${file} leaves ${needed.join(', ')} to the register: write a register, or a contract that says it`);
  const source = chosenSource(loaded.register.sources as readonly Source[], options.source);
  const egress = egressOf(options.sourceUrl);
  const url = source.connect.url;
  const secrets = secretsOf(surroundings.env);
  const checked = await checkContract({
    register: loaded.register,
    source,
    identifiers: identifiersOf(options.identifiers ?? [], Object.keys(loaded.register.identifiers)),
    secrets: (reference) => (reference === url ? options.sourceUrl : secrets(reference)),
    egress,
    clock: { now: () => new Date() },
    pagesMax: options.pages,
    signal: new AbortController().signal,
  });
  surroundings.print(
    options.json ? `${JSON.stringify(checked, null, 2)}\n` : checkText(source.name, checked, coloursFor(surroundings.hasColour)),
  );
  return checked.pages === 0 || checked.statements.some(({ seen }) => seen === 'false') ? exitCodes.failure : exitCodes.done;
}

function chosenSource(sources: readonly Source[], name: string | undefined): Source {
  const http = sources.filter(({ connect }) => connect.type === 'http');
  const named = name === undefined ? http : http.filter((source) => source.name === name);
  const [source] = named;
  if (source === undefined) throw new CliError(`no such HTTP source: the file has ${http.map((each) => each.name).join(', ') || 'none'}`);
  if (named.length > 1) throw new CliError(`--source names which: ${named.map((each) => each.name).join(', ')}`);
  return source;
}

/** The person names the address: its host is allowed for that, and no other is. */
function egressOf(text: string): Egress {
  if (!URL.canParse(text)) throw new CliError(`--source-url ${text} is no URL`, exitCodes.usage);
  const url = new URL(text);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const egress = {
    hosts: new Set([`${url.hostname.toLowerCase()}:${port}`]),
    networks: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
  };
  const problem = egressProblem(url, egress);
  if (problem !== null) throw new CliError(`--source-url: ${problem}`, exitCodes.usage);
  return egress;
}

function identifiersOf(pairs: readonly string[], known: readonly string[]): { name: string; value: string }[] {
  return pairs.map((pair) => {
    const [name = '', ...rest] = pair.split('=');
    if (rest.length === 0) throw new CliError(`--identifiers ${pair}: write name=value`, exitCodes.usage);
    if (!known.includes(name))
      throw new CliError(`--identifiers: ${name} is not an identifier here; there are ${known.join(', ')}`, exitCodes.usage);
    return { name, value: rest.join('=') };
  });
}

const GROUPS = [
  ['false', 'Seen to be false'],
  ['true', 'Seen to be true'],
  ['not-tried', 'Not tried'],
] as const;

function checkText(name: string, { pages, records, stopped, statements }: ContractCheck, colours: Colours): string {
  const paint = { false: colours.red, true: colours.green, 'not-tried': colours.dim };
  const groups = GROUPS.flatMap(([which, heading]) => {
    const lines = statements.filter(({ seen }) => seen === which);
    if (lines.length === 0) return [];
    const shown = lines.map(
      ({ path, statement, detail }) => `    - ${printableLine(`${statement}: ${detail}`)}  ${colours.dim(printableLine(path))}`,
    );
    return [`  ${paint[which](`${heading} (${lines.length})`)}`, ...shown];
  });
  return `${[`${colours.cyan(printableLine(name))}  ${pages} pages, ${records} records; ${printableLine(stopped)}`, ...groups].join('\n')}\n`;
}
