import type { Random } from './random.js';
import { seededRandom } from './random.js';
import type { SpellingFamily } from './spellings.js';
import { spell } from './spellings.js';
import { titleOf } from './titles.js';

export type RequestStatus = 'open' | 'in-progress' | 'reopened' | 'closed' | 'cancelled' | 'merged';

export interface ServiceRequest {
  id: string;
  version: number;
  account: string;
  reference: string;
  instance: string;
  status: RequestStatus;
  mergedInto: string | null;
  openedOn: string;
  title: string;
  /** What the reference and the instance are meant to say. Kept apart from the table: only the oracle reads them. */
  canonicalReference: string;
  canonicalInstance: string;
}

export interface Sample {
  /** With those that have no request at all. */
  accounts: string[];
  requests: ServiceRequest[];
}

/** A change of what is generated for a seed needs a new number: a loaded table of another one is loaded again. */
export const GENERATOR_VERSION = 1;
const ACCOUNT_REQUESTS_MAX = 500;
const REFERENCE_TRIES_MAX = 50;
const DAYS = 2_556;
const DAY_MS = 86_400_000;

const STATUSES: readonly (readonly [RequestStatus, number])[] = [
  ['open', 40],
  ['in-progress', 20],
  ['reopened', 5],
  ['closed', 25],
  ['cancelled', 7],
  ['merged', 3],
];
const CANONICAL_INSTANCES = ['eu1', 'eu2', 'us1', 'us2', 'ap1', 'köln1'] as const;
const FAMILIES: readonly (readonly [SpellingFamily, number])[] = [
  ['hyphens', 55],
  ['compact', 8],
  ['lower-case', 8],
  ['capitalised', 4],
  ['spaces', 4],
  ['slashes', 4],
  ['dots', 2],
  ['underscores', 1],
  ['padded', 3],
  ['doubled-separators', 2],
  ['full-width', 2],
  ['full-width-digits', 2],
  ['no-break-space', 2],
  ['en-dash', 1],
  ['soft-hyphen', 1],
  ['decomposed', 1],
];

/** The same rows for the same `rows` and `seed`, on every machine. */
export function generateSample({ rows, seed }: { rows: number; seed: number }): Sample {
  const random = seededRandom(seed);
  const { accounts, sizes } = generateAccounts(rows, random);
  const accountOfRow = sizes.flatMap((size, index) => new Array<string>(size).fill(accounts[index] as string));
  random.shuffle(accountOfRow);
  const identitiesOf = new Map<string, Identities>();
  const requests = accountOfRow.map((account, index) => {
    const identities = identitiesOf.get(account) ?? { used: [], taken: new Set<string>() };
    identitiesOf.set(account, identities);
    return generateRequest(index + 1, account, identities, random);
  });
  mergeRequests(requests, random);
  return { accounts: accounts.sort(), requests };
}

interface Identity {
  canonicalReference: string;
  canonicalInstance: string;
}

/** Those of one account so far, in order; and their references as a set. */
interface Identities {
  used: Identity[];
  taken: Set<string>;
}

/** A tenth of the rows in accounts with exactly 500, the others in accounts of 1 to 499, many small ones; and a fifth more accounts without any. */
function generateAccounts(rows: number, random: Random): { accounts: string[]; sizes: number[] } {
  const fullAccounts = rows < 2 * ACCOUNT_REQUESTS_MAX ? 0 : Math.max(1, Math.floor((rows * 0.1) / ACCOUNT_REQUESTS_MAX));
  const sizes = new Array<number>(fullAccounts).fill(ACCOUNT_REQUESTS_MAX);
  for (let left = rows - fullAccounts * ACCOUNT_REQUESTS_MAX; left > 0; left -= sizes[sizes.length - 1] as number) {
    sizes.push(Math.min(left, 1 + Math.floor((ACCOUNT_REQUESTS_MAX - 1) * random.next() ** 4)));
  }
  const emptyAccounts = Math.max(20, Math.ceil(sizes.length / 5));
  const accounts = Array.from({ length: sizes.length + emptyAccounts }, (_, index) => `ACC-${padded(index + 1, 6)}`);
  random.shuffle(accounts);
  return { accounts, sizes };
}

function generateRequest(number: number, account: string, identities: Identities, random: Random): ServiceRequest {
  const { canonicalReference, canonicalInstance } = generateIdentity(identities, random);
  return {
    id: `SR-${padded(number, 7)}`,
    version: 1 + random.below(5),
    account,
    reference: spell(canonicalReference, random.weighted(FAMILIES), random),
    instance: spell(canonicalInstance, random.weighted(FAMILIES), random),
    status: random.weighted(STATUSES),
    mergedInto: null,
    openedOn: new Date(Date.UTC(2019, 0, 1) + random.below(DAYS) * DAY_MS).toISOString().slice(0, 10),
    title: titleOf(number, random),
    canonicalReference,
    canonicalInstance,
  };
}

/** Now and then one that the account has already, or its reference at another instance. */
function generateIdentity({ used, taken }: Identities, random: Random): Identity {
  const again = used.length > 0 && random.next() < 0.04 ? random.pick(used) : undefined;
  const canonicalReference = again?.canonicalReference ?? freshReference(taken, random);
  const canonicalInstance = again && random.next() < 0.5 ? again.canonicalInstance : random.pick(CANONICAL_INSTANCES);
  const identity = { canonicalReference, canonicalInstance };
  used.push(identity);
  return identity;
}

function freshReference(taken: Set<string>, random: Random): string {
  for (let tries = 0; tries < REFERENCE_TRIES_MAX; tries++) {
    const reference = generateReference(random);
    if (taken.has(reference)) continue;
    taken.add(reference);
    return reference;
  }
  throw new Error(`no unused reference after ${REFERENCE_TRIES_MAX} tries`);
}

function generateReference(random: Random): string {
  const digits = (count: number) => padded(random.below(10 ** count), count);
  const year = 2019 + random.below(7);
  const style = random.next();
  if (style < 0.6) return `${random.pick(['inv', 'req', 'sr', 'po'])}${year}${digits(5)}`;
  if (style < 0.75) return digits(8);
  if (style < 0.9) return `${random.pick(['tkt', 'wo'])}${digits(7)}`;
  if (style < 0.95) return `${random.pick(['été', 'maß', 'ñan'])}${year}${digits(4)}`;
  return `rma${digits(6)}${random.pick(['a', 'b', 'x'])}`;
}

/** A merged request names another of its account that is not merged itself; where there is none, it is closed instead. */
function mergeRequests(requests: ServiceRequest[], random: Random): void {
  const targets = new Map<string, string[]>();
  for (const { account, id, status } of requests) {
    if (status === 'merged') continue;
    const ids = targets.get(account);
    if (ids) ids.push(id);
    else targets.set(account, [id]);
  }
  for (const request of requests) {
    if (request.status !== 'merged') continue;
    const others = targets.get(request.account);
    if (others) request.mergedInto = random.pick(others);
    else request.status = 'closed';
  }
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
