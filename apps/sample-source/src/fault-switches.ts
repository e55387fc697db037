import { createHash } from 'node:crypto';
import type { AppliedFault, Fault, FaultTarget } from './fault.js';

const APPLIED_MAX = 200_000;

interface Switch {
  fault: Fault;
  matched: number;
  applied: number;
  /** How often each account's page was asked for under this fault. */
  asked: Map<string, number>;
}

/**
 * The faults that are switched on.
 *
 * 1. A request gets the first one that matches, is not used up, can change this answer and is drawn; never two.
 * 2. A fault is recorded exactly when it changed an answer.
 * 3. A draw depends on the fault and on what was asked, never on other accounts: parallel tests do not disturb one another.
 */
export class FaultSwitches {
  private switches: Switch[] = [];
  private record: AppliedFault[] = [];

  constructor(private readonly now: () => Date) {}

  /** Replaces all. What was applied stays recorded. */
  set(faults: readonly Fault[]): void {
    this.switches = faults.map(switchOf);
  }

  /** Adds some beside the others; the answer takes just these away again. */
  add(faults: readonly Fault[]): () => void {
    const added = faults.map(switchOf);
    this.switches = [...this.switches, ...added];
    return () => void (this.switches = this.switches.filter((one) => !added.includes(one)));
  }

  /** Takes all away and forgets what was applied. */
  clear(): void {
    this.switches = [];
    this.record = [];
  }

  list(): Fault[] {
    return this.switches.map(({ fault }) => fault);
  }

  /** In order, at most the last 200,000. */
  applied(account?: string): readonly AppliedFault[] {
    return this.record.filter((one) => account === undefined || one.account === account);
  }

  /** The fault that this request gets, recorded. `attempt` answers what the fault makes of the answer, or undefined when it changes nothing. */
  take<T>(target: FaultTarget, attempt: (fault: Fault) => T | undefined): T | undefined {
    for (const one of this.switches) {
      if (!matches(one.fault, target) || !isDrawn(one, target)) continue;
      const changed = attempt(one.fault);
      if (changed === undefined) continue;
      one.applied += 1;
      if (this.record.length >= APPLIED_MAX) this.record.splice(0, APPLIED_MAX / 10);
      this.record.push({ ...target, kind: one.fault.kind, at: this.now().toISOString() });
      return changed;
    }
    return undefined;
  }
}

function switchOf(fault: Fault): Switch {
  return { fault: structuredClone(fault), matched: 0, applied: 0, asked: new Map() };
}

function matches({ kind, match = {} }: Fault, target: FaultTarget): boolean {
  const { path = kind === 'silent-search' ? 'search' : 'list', account, reference, page } = match;
  return (
    path === target.path &&
    (account === undefined || [account].flat().includes(target.account ?? '')) &&
    (reference === undefined || reference === target.reference) &&
    (page === undefined || page === target.page)
  );
}

function isDrawn(one: Switch, target: FaultTarget): boolean {
  const { skip = 0, times = Infinity, share = 1, seed = 1, sticky = false } = one.fault;
  one.matched += 1;
  if (one.matched <= skip || one.applied >= times) return false;
  if (share >= 1) return true;
  const asked = JSON.stringify([target.path, target.account, target.reference, target.page]);
  const count = (one.asked.get(asked) ?? 0) + 1;
  one.asked.set(asked, count);
  const digest = createHash('sha256').update(JSON.stringify([seed, one.fault.kind, asked, sticky ? 0 : count]));
  return digest.digest().readUInt32BE(0) / 4_294_967_296 < share;
}
