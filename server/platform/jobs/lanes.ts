/** Further jobs are left to the pools, which find them later. */
const mostWaiting = 1000;

/** A lane's name contains its number of slots, so that the notice of a job suffices without its payload. */
export const laneName = (what: string, slots: number): string => `${what}/${slots}`;
const slotsOf = (lane: string): number => Number(lane.slice(lane.lastIndexOf('/') + 1)) || 1;

/** The number of running jobs by lane in this process, and the callbacks that wait for a slot. A job may be in several lanes. */
export class Lanes {
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  isFull(lane: string): boolean {
    return (this.#running.get(lane) ?? 0) >= slotsOf(lane);
  }

  get full(): string[] {
    return [...this.#running.keys()].filter((lane) => this.isFull(lane));
  }

  /** Enters all lanes or none: false when one of them is full. */
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

  /** Offers a free slot to waiting callbacks in turn: one may not need it any more, or may have no slot in another lane. */
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

  /**
   * Calls `go` once when the first full lane has a slot, in order of arrival; `go` enters before it returns. False when no lane is full.
   */
  waits(lanes: readonly string[], go: () => void): boolean {
    const full = lanes.find((lane) => this.isFull(lane));
    if (full === undefined) return false;
    if ((this.#waiting.get(full)?.length ?? 0) < mostWaiting) this.#wait(full, go);
    return true;
  }

  /**
   * Runs a part of a job in a lane of its own, after waiting for a slot there. Work inside a lane must not wait for another lane, or two
   * could wait for each other.
   */
  async through<T>(lane: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#waitForSlot(lane, signal);
    try {
      return await work();
    } finally {
      this.leave([lane]);
    }
  }

  #waitForSlot(lane: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(signal.reason);
      if (signal.aborted) return giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      const go = () => {
        if (!this.enter([lane])) return this.#wait(lane, go);
        signal.removeEventListener('abort', giveUp);
        // The job was aborted: the slot goes to the next one.
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
