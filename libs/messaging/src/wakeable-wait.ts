/** A wait of one waiter that can be cut short. A wake-up that comes while nobody waits is kept for the next wait. */
export class WakeableWait {
  #woken = false;
  #resume: (() => void) | null = null;

  wake(): void {
    this.#woken = true;
    this.#resume?.();
  }

  /** At most this long. True: it was woken. */
  forMs(ms: number): Promise<boolean> {
    return this.#until((resume) => {
      const timer = setTimeout(resume, ms);
      return () => clearTimeout(timer);
    });
  }

  async untilWoken(): Promise<void> {
    await this.#until(() => () => undefined);
  }

  async #until(begin: (resume: () => void) => () => void): Promise<boolean> {
    if (!this.#woken) {
      let end: () => void = () => undefined;
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
        end = begin(resolve);
      });
      end();
      this.#resume = null;
    }
    const woken = this.#woken;
    this.#woken = false;
    return woken;
  }
}
