/**
 * Which keys of one partition may be handled now, for a group whose handlers keep state per key.
 *
 * G1 A key closes with its first dead letter, and opens when that letter was put back and handled, or given up.
 * G2 What arrives for a closed key is parked, in order, while the partition goes on. It is handled after the letter, before anything newer.
 * G3 What is parked is bounded in number and in time; what exceeds that is a dead letter too. Nothing is skipped silently.
 */
import type { LogMessage } from './event-log.js';
import { dropOf, messageName, requeuedName } from './dead-letter.js';

export const PARKED_PER_KEY_MAX = 10_000;

/** A key, hex, with the name of a message of it that lies in the dead-letter topic. */
export interface StalledKey {
  readonly key: string;
  readonly message: string;
}

export interface ParkedKey {
  readonly key: string;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly oldestParkedAtMs: number;
}

export const keyOf = (message: Pick<LogMessage, 'key'>): string => message.key?.toString('hex') ?? '';

export class KeyGate {
  readonly #stalled = new Map<string, Set<string>>();
  readonly #parked = new Map<string, ParkedKey>();

  constructor(
    readonly group: string,
    stalled: Iterable<StalledKey> = [],
    parked: Iterable<ParkedKey> = [],
  ) {
    for (const each of stalled) this.stall(each);
    for (const each of parked) this.#parked.set(each.key, each);
  }

  copy(): KeyGate {
    const stalled = [...this.#stalled].flatMap(([key, messages]) => [...messages].map((message) => ({ key, message })));
    return new KeyGate(this.group, stalled, this.#parked.values());
  }

  /** True: it may be handled. A letter that was put back passes before what is parked behind it. */
  admits(message: LogMessage): boolean {
    const key = keyOf(message);
    if (!this.#stalled.has(key) && !this.#parked.has(key)) return true;
    const name = requeuedName(message, this.group);
    return name !== null && this.#stalled.get(key)?.has(name) === true;
  }

  hasRoomFor(message: LogMessage): boolean {
    return (this.#parked.get(keyOf(message))?.count ?? 0) < PARKED_PER_KEY_MAX;
  }

  stall({ key, message }: StalledKey): void {
    const messages = this.#stalled.get(key) ?? new Set();
    this.#stalled.set(key, messages.add(message));
  }

  /** The letter that this message puts back or gives up, when it is one of ours; it stands in the way no more. */
  release(message: LogMessage): StalledKey | null {
    const key = keyOf(message);
    const name = dropOf(message, this.group) ?? requeuedName(message, this.group);
    const messages = this.#stalled.get(key);
    if (name === null || !messages?.delete(name)) return null;
    if (messages.size === 0) this.#stalled.delete(key);
    return { key, message: name };
  }

  park(message: LogMessage, nowMs: number): void {
    const key = keyOf(message);
    const before = this.#parked.get(key);
    this.#parked.set(key, { key, count: (before?.count ?? 0) + 1, oldestParkedAtMs: before?.oldestParkedAtMs ?? nowMs });
  }

  /** What is parked now, as it is stored. */
  setParked(parked: readonly ParkedKey[]): void {
    this.#parked.clear();
    for (const each of parked) this.#parked.set(each.key, each);
  }

  /** A key whose parked messages can be handled; null: none. */
  openKey(): string | null {
    for (const key of this.#parked.keys()) if (!this.#stalled.has(key)) return key;
    return null;
  }

  overdueKey(parkedBeforeMs: number): string | null {
    for (const { key, oldestParkedAtMs } of this.#parked.values()) if (oldestParkedAtMs < parkedBeforeMs) return key;
    return null;
  }

  stalledBy(message: LogMessage): StalledKey {
    return { key: keyOf(message), message: messageName(message, this.group) };
  }
}
