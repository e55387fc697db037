/** What `search.started` says of the controls, and whether it is worth waiting for their check. Pure. */
import type { HashedRegister } from '@lacuna/connectors';
import type { ControlResult } from '@lacuna/events';
import { controlsOf } from '@lacuna/evidence';
import type { KeptCheck } from './control-store.js';

const declared = (register: HashedRegister) => register.sources.flatMap(({ name }) => controlsOf(register, name));

/** One per declared control that was ever checked, in the order of the sources: one that is left out holds. */
export function controlResults(register: HashedRegister, kept: readonly KeptCheck[]): ControlResult[] {
  return declared(register).flatMap(({ source, recordId }) => {
    const check = kept.find((each) => each.source === source && each.recordId === recordId);
    return check ? [{ source, result: check.result, checkedAt: check.checkedAt }] : [];
  });
}

/** Of a register that was just published, or of an old version, nothing is kept that is new enough yet. */
export function lacksChecks(register: HashedRegister, kept: readonly KeptCheck[], nowMs: number): boolean {
  const oldestMs = nowMs - (register.controls?.ageMaxMs ?? 0);
  const results = controlResults(register, kept);
  return results.length < declared(register).length || results.some(({ checkedAt }) => Date.parse(checkedAt) < oldestMs);
}
