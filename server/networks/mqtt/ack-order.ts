/**
 * Answers leave in the order in which their messages came, whoever is ready first: MQTT asks for that, and one connection may
 * speak for devices that are stored apart.
 */
export class AckOrder {
  readonly #waiting: { answer: (() => void) | undefined }[] = [];

  /** Takes a place; what it is called with happens when everything before has happened. */
  place(): (answer: () => void) => void {
    const mine: { answer: (() => void) | undefined } = { answer: undefined };
    this.#waiting.push(mine);
    return (answer) => {
      mine.answer = answer;
      while (this.#waiting[0]?.answer) this.#waiting.shift()?.answer?.();
    };
  }
}
