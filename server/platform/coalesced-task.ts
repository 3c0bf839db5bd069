/**
 * Runs work in rounds, one at a time. A request during a round starts another round after it. The end of a round and the check for further
 * requests happen in one step, so no request is lost between them.
 */
export class CoalescedTask {
  readonly #round: () => Promise<unknown>;
  #isDue = false;
  #running: Promise<void> | undefined;

  /** `round` handles its own errors; it may request another round. */
  constructor(round: () => Promise<unknown>) {
    this.#round = round;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  request(): void {
    this.#isDue = true;
    this.#running ??= this.#run();
  }

  /** Resolves when all requested rounds have ended. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    // One round serves all requests of the same turn.
    await Promise.resolve();
    try {
      while (this.#isDue) {
        this.#isDue = false;
        await this.#round();
      }
    } finally {
      this.#running = undefined;
    }
  }
}
