import type { Fault } from './fault.js';
import { listingFaults, transportFaults } from './fault.js';
import { BadRequest } from './problem.js';

const FAULTS_MAX = 1_000;
const DELAY_MS_MAX = 600_000;
const KINDS: readonly string[] = [...transportFaults, ...listingFaults, 'silent-search'];

type Check = (value: unknown) => boolean;
const wholeFrom =
  (least: number, most = Number.MAX_SAFE_INTEGER): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
const isText: Check = (value) => typeof value === 'string';

const MATCH: Record<string, Check> = {
  path: (value) => value === 'list' || value === 'record' || value === 'search',
  account: (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
  reference: isText,
  page: wholeFrom(1),
};

const FAULT: Record<string, Check> = {
  kind: (value) => KINDS.includes(value as string),
  match: (value) => wrongMember(value, MATCH) === undefined,
  times: wholeFrom(1),
  skip: wholeFrom(0),
  share: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  seed: wholeFrom(-2_147_483_648, 2_147_483_647),
  sticky: (value) => typeof value === 'boolean',
  delayMs: wholeFrom(1, DELAY_MS_MAX),
  status: wholeFrom(400, 599),
  retryAfterSeconds: wholeFrom(0, 3_600),
  by: wholeFrom(-1_000_000, 1_000_000),
};

/** The faults of a JSON text, or a BadRequest that names the member that is wrong. */
export function parseFaults(text: string): Fault[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new BadRequest('the body is not JSON');
  }
  if (!Array.isArray(list)) throw new BadRequest('the body is not a list of faults');
  if (list.length > FAULTS_MAX) throw new BadRequest(`more than ${FAULTS_MAX} faults`);
  return list.map((fault: Fault, index) => {
    const wrong = wrongMember(fault, FAULT) ?? missingMember(fault);
    if (wrong) throw new BadRequest(`fault ${index}: ${wrong}`);
    return fault;
  });
}

function wrongMember(value: unknown, checks: Record<string, Check>): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not an object';
  for (const [name, member] of Object.entries(value)) {
    if (!Object.hasOwn(checks, name)) return `${name} is unknown`;
    if (!checks[name]?.(member)) return `${name} is not valid`;
  }
  return undefined;
}

function missingMember({ kind, delayMs, status }: Fault): string | undefined {
  if (kind === undefined) return 'kind is missing';
  if (kind === 'delay' && delayMs === undefined) return 'delayMs is missing';
  if (kind === 'status' && status === undefined) return 'status is missing';
  return undefined;
}
