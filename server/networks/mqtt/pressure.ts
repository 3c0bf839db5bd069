/** iot-behaviour 1.9: the limit of unanswered bytes on all connections together. */
const nodeBytes = 64 * 1024 * 1024;

/** Memory of unanswered messages on all connections of this process; above the limit, reading stops on all of them. */
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

  /** Wakes one connection at a time: what each reads is counted before the next resumes. */
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
