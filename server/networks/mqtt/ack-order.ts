interface Place {
  isReady: boolean;
  error: Error | null | undefined;
  leave: (error?: Error | null) => void;
}

/**
 * Sends answers in the order in which their messages came, whichever is ready first: MQTT requires that, and one connection may speak for
 * devices that are stored apart.
 */
export class AckOrder {
  readonly #waiting: Place[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  /** Takes a place. Whoever calls back lets `leave` happen as soon as everything before has happened. */
  place(leave: (error?: Error | null) => void): (error?: Error | null) => void {
    const mine: Place = { isReady: false, error: undefined, leave };
    this.#waiting.push(mine);
    return (error) => {
      mine.isReady = true;
      mine.error = error;
      for (let first = this.#waiting[0]; first?.isReady; first = this.#waiting[0]) {
        this.#waiting.shift();
        first.leave(first.error);
      }
    };
  }
}
