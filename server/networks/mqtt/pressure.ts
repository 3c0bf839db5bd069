/** iot-behaviour 1.9: what all connections together may have waiting for an answer. */
const nodeBytes = 64 * 1024 * 1024;

/** What waits for its answer on all connections of this process; above the limit nobody is read from. */
export class Pressure {
  #held = 0;
  readonly #most: number;
  readonly #waiting = new Set<() => void>();
  #isWaking = false;

  constructor(most = nodeBytes) {
    this.#most = most;
  }

  get held(): number {
    return this.#held;
  }

  get isFull(): boolean {
    return this.#held >= this.#most;
  }

  hold(bytes: number): void {
    this.#held += bytes;
  }

  free(bytes: number): void {
    this.#held -= bytes;
    if (this.#waiting.size > 0 && this.#held <= this.#most * 0.75) this.#wake();
  }

  /** One after the other: what each brings is known before the next may come. */
  #wake(): void {
    if (this.#isWaking) return;
    this.#isWaking = true;
    setImmediate(() => {
      this.#isWaking = false;
      const [go] = this.#waiting;
      if (!go || this.isFull) return;
      this.#waiting.delete(go);
      go();
      if (this.#waiting.size > 0) this.#wake();
    });
  }

  whenFree(go: () => void): void {
    this.#waiting.add(go);
  }
}
