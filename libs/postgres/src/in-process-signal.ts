/** Wake-ups between parts of one process: a hint that looking again is worth it, never the news itself. */
export class InProcessSignal {
  readonly #listeners = new Map<string, Set<() => void>>();

  listen(subject: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(subject) ?? new Set();
    this.#listeners.set(subject, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(subject);
    };
  }

  raise(subject: string): void {
    for (const listener of this.#listeners.get(subject) ?? []) listener();
  }
}
