/** A wait that can be cut short. A wake-up that comes while nobody waits is kept for the next wait. */
export class WakeableWait {
  #woken = false;
  #resume: (() => void) | null = null;

  wake(): void {
    this.#woken = true;
    this.#resume?.();
  }

  /** At most this long. */
  async forMs(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const elapsed = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await Promise.race([this.untilWoken(), elapsed]);
    clearTimeout(timer);
  }

  async untilWoken(): Promise<void> {
    if (!this.#woken) await new Promise<void>((resolve) => (this.#resume = resolve));
    this.#woken = false;
    this.#resume = null;
  }
}
