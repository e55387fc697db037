/** `lacuna cases`, `lacuna case` and `lacuna decide`: what waits for a person, and what the person says. */
import type { Colours } from '../colours.js';
import type { Call } from '../gateway/gateway-client.js';
import { showAnswer, type ShowOptions } from '../gateway/show-answer.js';
import type { Surroundings } from '../surroundings.js';
import type { Case, CaseList } from './case.js';
import { caseListText, caseText } from './case-text.js';

/** The API gives no more in one answer; it says so when there are more. */
const CASES_MAX = 200;

export async function listCases(options: ShowOptions & { readonly all?: boolean }, surroundings: Surroundings): Promise<void> {
  const path = `v1/cases?state=${options.all ? 'all' : 'open'}&limit=${CASES_MAX}`;
  await showAnswer({ method: 'GET', path }, options, surroundings, (answer: CaseList, colours) =>
    Array.isArray(answer.items) ? caseListText(answer, colours) : null,
  );
}

export async function showCase(caseId: string, options: ShowOptions, surroundings: Surroundings): Promise<void> {
  await showAnswer({ method: 'GET', path: pathOf(caseId) }, options, surroundings, textOfCase);
}

export async function decideCase(
  caseId: string,
  decision: string,
  options: ShowOptions & { readonly note?: string },
  surroundings: Surroundings,
): Promise<void> {
  const call: Call = {
    method: 'POST',
    path: `${pathOf(caseId)}/decisions`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ decision, note: options.note }),
  };
  await showAnswer(call, options, surroundings, textOfCase);
}

const pathOf = (caseId: string): string => `v1/cases/${encodeURIComponent(caseId)}`;

const textOfCase = (answer: Case, colours: Colours): string | null =>
  typeof answer.caseId === 'string' && Array.isArray(answer.records) && Array.isArray(answer.reasons) ? caseText(answer, colours) : null;
