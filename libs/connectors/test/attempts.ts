/** One attempt over a source of a spec, with what it handed on. */
import type { AskedIdentifier, Exclusion } from '@lacuna/evidence';
import type { PostgresConnections, Secrets } from '../kit/index.js';
import { readerFor, runAttempt, type AttemptInput, type AttemptOutcome, type AttemptPage, type SourceReader } from '../kit/index.js';
import type { RegisterAndSource } from './registers.js';

export interface AttemptSettings {
  /** Value of every secret reference, and the hosts that may be reached. */
  readonly url?: string;
  /** Instead of one value for all. */
  readonly secrets?: Secrets;
  readonly hosts?: readonly string[];
  readonly networks?: readonly string[];
  readonly identifiers: readonly AskedIdentifier[];
  readonly exclusions?: readonly Exclusion[];
  readonly kind?: AttemptInput['kind'];
  readonly limits?: Partial<AttemptInput['limits']>;
  readonly reader?: SourceReader;
  readonly connections?: PostgresConnections;
  readonly signal?: AbortSignal;
  readonly onPage?: (page: AttemptPage) => Promise<void>;
}

export interface Attempted {
  readonly outcome: AttemptOutcome;
  readonly pages: readonly AttemptPage[];
}

export const clock = { now: (): Date => new Date() };

export const attempt = async ({ register, source }: RegisterAndSource<unknown>, settings: AttemptSettings): Promise<Attempted> => {
  const document = source as AttemptInput['source'];
  const { url = '', hosts = [], networks = [], identifiers } = settings;
  const limits = { ...register.budget, elapsedMsMax: 20_000, ...settings.limits };
  const readerInputs = {
    register,
    identifiers,
    secrets: settings.secrets ?? (() => url || null),
    egress: { hosts: new Set(hosts), networks },
    clock,
    elapsedMsMax: limits.elapsedMsMax,
    connections: settings.connections,
  };
  const pages: AttemptPage[] = [];
  const outcome = await runAttempt({
    register,
    source: document,
    kind: settings.kind ?? 'exists',
    identifiers,
    exclusions: settings.exclusions ?? [],
    reader: settings.reader ?? readerFor(document, readerInputs),
    limits,
    clock,
    signal: settings.signal ?? new AbortController().signal,
    onPage: async (page) => {
      pages.push(page);
      await settings.onPage?.(page);
    },
  });
  return { outcome, pages };
};
