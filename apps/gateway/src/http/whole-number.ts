import { invalidParameter } from './problems.js';

/** A query parameter that is a whole number between two bounds. @throws the 400 problem for anything else. */
export function wholeNumber(name: string, text: string | undefined, range: { min: number; max: number; missing: number }): number {
  if (text === undefined) return range.missing;
  const value = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= range.min && value <= range.max)) throw invalidParameter(name, `must be a whole number from ${range.min} to ${range.max}`);
  return value;
}
