/** Generations as the log has them: fitting events of one search, and what is kept of them. */
import { type EncodedEvent, encodeEvent, events, type PageRead, type SearchStarted } from '@lacuna/events';
import type { Register } from '@lacuna/evidence';
import { aRegister, aSearch, aSearchedIdentifier, aSourceRule, type Search } from '@lacuna/testing';
import type { EvidenceEvent } from '../src/evidence-store.js';

const LONG_AFTER = '2100-01-01T00:00:00.000Z';

export const attested = { attestation: { by: 'source owner', until: LONG_AFTER } };

/** One attested source, read in pages: a search to its end supports a no-match. */
export const aDecidableRegister = (changes: Partial<Register> = {}): Register =>
  aRegister({ sources: [aSourceRule({ drift: 'keyset', ...attested })], ...changes });

export function aGeneration(
  register: Register,
  started: Partial<SearchStarted> = {},
  pages: readonly Partial<PageRead>[] = [{}],
  stopReason = 'end-signalled',
): Search {
  const identifiers = [aSearchedIdentifier({ name: 'account', value: 'acme' }), aSearchedIdentifier({ value: 'SR-1' })];
  const of = { registerName: register.name, registerHash: register.hash, budget: register.budget, identifiers };
  const search = aSearch({ ...of, ...started }, pages, stopReason);
  const sources = search.ended.sources.map((source) => ({ ...source, pagesOfAllAttempts: search.pages.length }));
  return { ...search, ended: { ...search.ended, sources } };
}

export const encoded = ({ started, pages, ended }: Search): EncodedEvent[] => [
  encodeEvent(events.searchStarted, started, 'search-runner'),
  ...pages.map((page) => encodeEvent(events.pageRead, page, 'search-runner')),
  encodeEvent(events.searchEnded, ended, 'search-runner'),
];

/** As verdict has stored it. */
export function stored({ started, pages, ended }: Search): EvidenceEvent[] {
  const all: [{ type: string; id: (data: never) => string }, object][] = [
    [events.searchStarted, started],
    ...pages.map((page): [typeof events.pageRead, object] => [events.pageRead, page]),
    [events.searchEnded, ended],
  ];
  const { questionId, generation } = started;
  return all.map(([definition, data], index) => ({
    questionId,
    generation,
    id: definition.id(data as never),
    type: definition.type,
    position: BigInt(index),
    data: JSON.parse(JSON.stringify(data)) as object,
    conflicting: false,
  }));
}
