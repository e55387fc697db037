/** The order that a source promises, row after row and page after page. */
import type { RecordOrder } from '../register/connect.js';
import { textOf, valueAt, type Json } from './exact-json.js';

type Sorted = number | bigint | string;

/** False from the first row that is out of order, equal to the one before, or without a value. */
export class OrderCheck {
  private last: Sorted | null = null;

  constructor(private readonly order: RecordOrder) {}

  inOrder(items: readonly Json[]): boolean {
    for (const item of items) {
      const value = this.valueOf(item);
      const isNext = value !== null && (this.last === null || this.follows(this.last, value));
      this.last = value ?? this.last;
      if (!isNext) return false;
    }
    return true;
  }

  private follows(before: Sorted, value: Sorted): boolean {
    return this.order.direction === 'ascending' ? before < value : before > value;
  }

  private valueOf(item: Json): Sorted | null {
    const read = textOf(valueAt(item, this.order.by));
    if (read === 'unreadable' || typeof read.text !== 'string') return null;
    const { text } = read;
    if (this.order.compare === 'text') return text;
    if (this.order.compare === 'instant') return instantOf(text);
    if (/^-?\d+$/.test(text)) return BigInt(text);
    return Number.isFinite(Number(text)) && text.trim() !== '' ? Number(text) : null;
  }
}

const FRACTION = /\.(\d{1,18})(?=\D*$|[+-]\d\d:?\d\d$)/;
const ATTOSECONDS = 18;

/** In units of 10^-18 s: sources write more digits than a Date holds, and rows a microsecond apart are not equal. */
const instantOf = (text: string): bigint | null => {
  const fraction = FRACTION.exec(text)?.[1] ?? '';
  const wholeMs = Date.parse(fraction === '' ? text : text.replace(`.${fraction}`, ''));
  if (Number.isNaN(wholeMs)) return null;
  return BigInt(wholeMs) * 10n ** 15n + BigInt(fraction.padEnd(ATTOSECONDS, '0'));
};
