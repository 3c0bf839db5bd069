interface Place {
  /** Runs `act` when everything before it has run. */
  leave(act: () => void): void;
}

interface Waiting {
  act: (() => void) | undefined;
}

/**
 * Messages of devices whose bytes are being decoded, in order of arrival: decoding takes time, and messages of a device are stored and
 * acknowledged in the order in which it sent them. Empty as long as nothing is decoded.
 */
export class DecodeOrder {
  readonly #lines = new Map<number, Waiting[]>();
  #whenEmpty: (() => void) | undefined;

  isWaiting(devicePk: number): boolean {
    return this.#lines.size > 0 && this.#lines.has(devicePk);
  }

  enter(devicePk: number): Place {
    const waiting: Waiting = { act: undefined };
    const line = this.#lines.get(devicePk);
    if (line) line.push(waiting);
    else this.#lines.set(devicePk, [waiting]);
    return {
      leave: (act) => {
        waiting.act = act;
        this.#advance(devicePk);
      },
    };
  }

  /** Runs `act` after everything that waits now. */
  follow(devicePk: number, act: () => void): void {
    this.#lines.get(devicePk)?.push({ act });
  }

  #advance(devicePk: number): void {
    const line = this.#lines.get(devicePk) ?? [];
    while (line[0]?.act) line.shift()?.act?.();
    if (line.length > 0) return;
    this.#lines.delete(devicePk);
    if (this.#lines.size === 0) this.#whenEmpty?.();
  }

  /** Resolves when nothing waits any more. */
  drain(): Promise<void> {
    if (this.#lines.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenEmpty = resolve;
    });
  }
}
