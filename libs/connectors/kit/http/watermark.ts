/** Up to which moment an answer was true, by the source's clock. */
import type { HttpConnect } from '../register/connect.js';
import { type Answer, valueOf } from './answer.js';

/** ISO in UTC with milliseconds; null where it stands nowhere, or is no moment. @throws AnswerUnreadable */
export const watermarkOf = (answer: Answer, { watermark }: Pick<HttpConnect, 'watermark'>): string | null => {
  if (watermark === undefined) return null;
  const value = valueOf(answer, watermark.path);
  const ms = typeof value === 'string' || typeof value === 'number' ? msOf(String(value), watermark.unit) : Number.NaN;
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : null;
};

const msOf = (text: string, unit: NonNullable<HttpConnect['watermark']>['unit']): number => {
  if (unit === 'iso') return /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!/^\d{1,17}(?:\.\d{1,9})?$/.test(text)) return Number.NaN;
  return unit === 'epoch-seconds' ? Number(text) * 1_000 : Number(text);
};
