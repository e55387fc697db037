/** Authorisations for people. Pure. */
import { factLines } from '../ask/answer-text.js';
import type { Colours } from '../colours.js';
import { printableLine } from '../printable.js';
import type { Authorisation, AuthorisationList } from './authorisation.js';

export function authorisationListText({ partial, coverage, advice, items }: AuthorisationList, colours: Colours): string {
  const lines = [
    `${items.length} authorisations  ${colours.dim(printableLine(`${partial ? 'partial' : 'not partial'}, coverage ${coverage}`))}`,
    ...items.map((one) => heading(one, colours)),
    ...(items.some(({ state }) => state === 'open') ? ['next: lacuna authorisation ID shows what would be written'] : []),
    colours.dim(printableLine(advice)),
  ];
  return `${lines.join('\n')}\n`;
}

export function authorisationText(one: Authorisation, colours: Colours): string {
  const lines = [
    heading(one, colours),
    ...factLines([
      ['register', one.register],
      ['asker', one.asker],
      ['question', one.questionId],
      ['payload', one.payload && JSON.stringify(one.payload)],
      ['hash', one.payloadHash],
      ['requested', one.requestedAt],
      ['expires', one.expiresAt],
      ['decision', decisionText(one)],
      ['outcome', one.outcome],
      ['next', one.state === 'open' ? `lacuna authorise ${one.authorisationId} approve|decline --payload-hash ${one.payloadHash}` : null],
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function heading({ authorisationId, state, policy, target, requestedAt }: Authorisation, colours: Colours): string {
  const paint = state === 'open' ? colours.yellow : colours.dim;
  return `${paint(printableLine(`${authorisationId}  ${state}  ${policy}`))}  ${printableLine(`${target}, ${requestedAt}`)}`;
}

function decisionText({ decision }: Authorisation): string | null {
  if (!decision) return null;
  return `${decision.decision} by ${decision.principal}, ${decision.decidedAt}${decision.note ? `: ${decision.note}` : ''}`;
}
