/** A refusal of gateway as one line: what is wrong, where, and what to do. Pure. */
import { printableLine } from '../printable.js';

const ERRORS_MAX = 10;
const TEXT_MAX = 300;

interface Problem {
  readonly title?: unknown;
  readonly detail?: unknown;
  readonly errors?: unknown;
}

export function problemText(status: number, body: string): string {
  const problem = parse(body);
  const said = problem ? sentences(problem) : `the answer is no problem+json: ${printableLine(body.slice(0, TEXT_MAX)) || 'it is empty'}`;
  return `${said} (HTTP ${status})${adviceFor(status)}`;
}

function sentences({ title, detail, errors }: Problem): string {
  const places = Array.isArray(errors) ? errors.map(placeOf).filter((place) => place !== '') : [];
  // `detail` sums the errors up where there are some.
  const about = places.length > 0 ? listed(places) : textOf(detail);
  return [textOf(title) || 'refused', about].filter((part) => part !== '').join(': ');
}

function listed(places: readonly string[]): string {
  const more = places.length - ERRORS_MAX;
  return [...places.slice(0, ERRORS_MAX), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function placeOf(error: unknown): string {
  const { pointer, parameter, detail } = (error ?? {}) as Record<string, unknown>;
  return [textOf(pointer) || textOf(parameter), textOf(detail)].filter((part) => part !== '').join(' ');
}

function adviceFor(status: number): string {
  if (status === 401) return ': set LACUNA_API_KEY to a key that this gateway issued';
  if (status === 429 || status === 503) return ': try again';
  return '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? printableLine(value.slice(0, TEXT_MAX * ERRORS_MAX)) : '';
}

function parse(body: string): Problem | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
