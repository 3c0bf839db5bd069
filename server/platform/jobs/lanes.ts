/** More than these are left to the queue, which brings them too, only later. */
const mostWaiting = 1000;

/** How many jobs of each lane run in this process, and who wants to know when there is a place again. */
export class Lanes {
  readonly #running = new Map<string, { count: number; places: number }>();
  readonly #waiting = new Map<string, (() => void)[]>();

  isFull(lane: string): boolean {
    const { count, places } = this.#running.get(lane) ?? { count: 0, places: 1 };
    return count >= places;
  }

  get full(): string[] {
    return [...this.#running.keys()].filter((lane) => this.isFull(lane));
  }

  /** False when there is no place. */
  enter(lane: string, places: number): boolean {
    if (this.isFull(lane)) return false;
    this.#running.set(lane, { count: (this.#running.get(lane)?.count ?? 0) + 1, places });
    return true;
  }

  leave(lane: string): void {
    const { count, places } = this.#running.get(lane) ?? { count: 1, places: 1 };
    if (count > 1) this.#running.set(lane, { count: count - 1, places });
    else this.#running.delete(lane);
    // Who is told may not want the place any more, or be one too many: then it is for the next one.
    while (!this.isFull(lane)) {
      const next = this.#next(lane);
      if (!next) return;
      next();
    }
  }

  #next(lane: string): (() => void) | undefined {
    const waiting = this.#waiting.get(lane);
    const next = waiting?.shift();
    if (waiting?.length === 0) this.#waiting.delete(lane);
    return next;
  }

  /** In their order, each once; whoever wants the place enters before `go` returns. */
  whenFree(lane: string, go: () => void): void {
    if ((this.#waiting.get(lane)?.length ?? 0) < mostWaiting) this.#wait(lane, go);
  }

  /**
   * For a part of a job that belongs in a lane of its own: waits there for its place. Whoever is inside must not wait for
   * another lane, or two could wait for each other.
   */
  async through<T>(lane: string, places: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#place(lane, places, signal);
    try {
      return await work();
    } finally {
      this.leave(lane);
    }
  }

  #place(lane: string, places: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(signal.reason);
      if (signal.aborted) return giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      const go = () => {
        if (!this.enter(lane, places)) return this.#wait(lane, go);
        signal.removeEventListener('abort', giveUp);
        // Nobody needs it any more: the next one does.
        if (signal.aborted) this.leave(lane);
        else resolve();
      };
      go();
    });
  }

  #wait(lane: string, go: () => void): void {
    this.#waiting.set(lane, [...(this.#waiting.get(lane) ?? []), go]);
  }
}
