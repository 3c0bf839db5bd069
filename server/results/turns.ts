/** At most so many at a time per key; the others wait their turn in order. */
export class Turns {
  readonly #most: number;
  readonly #running = new Map<number, number>();
  readonly #waiting = new Map<number, (() => void)[]>();

  constructor(most: number) {
    this.#most = most;
  }

  async take<T>(key: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    while ((this.#running.get(key) ?? 0) >= this.#most) await this.#next(key, signal);
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    try {
      return await work();
    } finally {
      this.#running.set(key, (this.#running.get(key) ?? 1) - 1);
      this.#waiting.get(key)?.shift()?.();
    }
  }

  #next(key: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(key) ?? [];
      this.#waiting.set(key, queue);
      const leave = () => {
        queue.splice(queue.indexOf(go), 1);
        reject(signal.reason);
      };
      const go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.push(go);
    });
  }
}
