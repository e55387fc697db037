/** A wait of one waiter that can be cut short. A wake-up that comes while nobody waits is kept for the next wait. */
export class WakeableWait {
  #woken = false;
  #resume: (() => void) | null = null;

  wake(): void {
    this.#woken = true;
    this.#resume?.();
  }

  /** At most this long. */
  forMs(ms: number): Promise<void> {
    return this.#until((resume) => {
      const timer = setTimeout(resume, ms);
      return () => clearTimeout(timer);
    });
  }

  untilWoken(): Promise<void> {
    return this.#until(() => () => undefined);
  }

  async #until(begin: (resume: () => void) => () => void): Promise<void> {
    if (!this.#woken) {
      let end: () => void = () => undefined;
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
        end = begin(resolve);
      });
      end();
      this.#resume = null;
    }
    this.#woken = false;
  }
}
