interface Place {
  isReady: boolean;
  error: Error | null | undefined;
  leave: (error?: Error | null) => void;
}

/**
 * Answers leave in the order in which their messages came, whoever is ready first: MQTT asks for that, and one connection may
 * speak for devices that are stored apart.
 */
export class AckOrder {
  readonly #waiting: Place[] = [];

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
