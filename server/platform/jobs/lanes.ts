/** More than these are left to the queue, which brings them too, only later. */
const mostWaiting = 1000;

/** A lane's name says how many places it has, so that whoever hears of a job knows it without its payload. */
export const laneName = (what: string, places: number): string => `${what}/${places}`;
const placesOf = (lane: string): number => Number(lane.slice(lane.lastIndexOf('/') + 1)) || 1;

/** How many jobs of each lane run in this process, and who wants to know when there is a place again. A job may be in several. */
export class Lanes {
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  isFull(lane: string): boolean {
    return (this.#running.get(lane) ?? 0) >= placesOf(lane);
  }

  get full(): string[] {
    return [...this.#running.keys()].filter((lane) => this.isFull(lane));
  }

  /** In all of them or in none: false when there is no place in one. */
  enter(lanes: readonly string[]): boolean {
    if (lanes.some((lane) => this.isFull(lane))) return false;
    for (const lane of lanes) this.#running.set(lane, (this.#running.get(lane) ?? 0) + 1);
    return true;
  }

  leave(lanes: readonly string[]): void {
    for (const lane of lanes) {
      const count = this.#running.get(lane) ?? 1;
      if (count > 1) this.#running.set(lane, count - 1);
      else this.#running.delete(lane);
    }
    for (const lane of lanes) this.#passOn(lane);
  }

  /** Who is told may not want the place any more, or be one too many, or have none in another lane: then it is for the next one. */
  #passOn(lane: string): void {
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

  /** Called when the first that is full has a place, in their order, each once; whoever wants it enters before `go` returns. False when none is full. */
  waits(lanes: readonly string[], go: () => void): boolean {
    const full = lanes.find((lane) => this.isFull(lane));
    if (full === undefined) return false;
    if ((this.#waiting.get(full)?.length ?? 0) < mostWaiting) this.#wait(full, go);
    return true;
  }

  /**
   * For a part of a job that belongs in a lane of its own: waits there for its place. Whoever is inside must not wait for
   * another lane, or two could wait for each other.
   */
  async through<T>(lane: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#place(lane, signal);
    try {
      return await work();
    } finally {
      this.leave([lane]);
    }
  }

  #place(lane: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(signal.reason);
      if (signal.aborted) return giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      const go = () => {
        if (!this.enter([lane])) return this.#wait(lane, go);
        signal.removeEventListener('abort', giveUp);
        // Nobody needs it any more: the next one does.
        if (signal.aborted) this.leave([lane]);
        else resolve();
      };
      go();
    });
  }

  #wait(lane: string, go: () => void): void {
    this.#waiting.set(lane, [...(this.#waiting.get(lane) ?? []), go]);
  }
}
