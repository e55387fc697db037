/** The three fields of section 7 from the reasons that stay open. */
import { catalogue, type Coverage, type ReasonCode } from './catalogue.js';

/** Of several, the first counts. */
const PRECEDENCE: readonly Coverage[] = ['range_too_wide', 'field_unavailable', 'timed_out', 'recent_unavailable'];

export interface Completeness {
  readonly partial: boolean;
  readonly coverage: Coverage;
  readonly fromClamped: boolean;
}

/** `open`: every reason but a signalled end, accepted doubts included: a register may accept a doubt, but that does not read the rest. */
export const completenessOf = (open: readonly ReasonCode[]): Completeness => ({
  partial: open.some((code) => catalogue[code].partial),
  coverage: PRECEDENCE.find((coverage) => open.some((code) => catalogue[code].coverage === coverage)) ?? 'complete',
  fromClamped: open.some((code) => catalogue[code].fromClamped),
});
