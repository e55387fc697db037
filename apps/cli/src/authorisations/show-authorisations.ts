/** `lacuna authorisations`, `lacuna authorisation` and `lacuna authorise`: writes that wait for a person, and what the person says. */
import type { Colours } from '../colours.js';
import type { Call } from '../gateway/gateway-client.js';
import { showAnswer, type ShowOptions } from '../gateway/show-answer.js';
import type { Surroundings } from '../surroundings.js';
import type { Authorisation, AuthorisationList } from './authorisation.js';
import { authorisationListText, authorisationText } from './authorisation-text.js';

/** The API gives no more in one answer; it says so when there are more. */
const AUTHORISATIONS_MAX = 200;

export async function listAuthorisations(options: ShowOptions & { readonly all?: boolean }, surroundings: Surroundings): Promise<void> {
  const path = `v1/authorisations?state=${options.all ? 'all' : 'open'}&limit=${AUTHORISATIONS_MAX}`;
  await showAnswer({ method: 'GET', path }, options, surroundings, (answer: AuthorisationList, colours) =>
    Array.isArray(answer.items) ? authorisationListText(answer, colours) : null,
  );
}

export async function showAuthorisation(id: string, options: ShowOptions, surroundings: Surroundings): Promise<void> {
  await showAnswer({ method: 'GET', path: pathOf(id) }, options, surroundings, textOf);
}

export async function authorise(
  id: string,
  word: string,
  options: ShowOptions & { readonly payloadHash: string; readonly note?: string },
  surroundings: Surroundings,
): Promise<void> {
  const { payloadHash, note } = options;
  const call: Call = {
    method: 'POST',
    path: `${pathOf(id)}/decisions`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ decision: word === 'approve' ? 'approved' : 'declined', payloadHash, note }),
  };
  await showAnswer(call, options, surroundings, textOf);
}

const pathOf = (id: string): string => `v1/authorisations/${encodeURIComponent(id)}`;

const textOf = (answer: Authorisation, colours: Colours): string | null =>
  typeof answer.authorisationId === 'string' && typeof answer.payloadHash === 'string' ? authorisationText(answer, colours) : null;
