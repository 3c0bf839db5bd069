interface Waiting<Q, A> {
  question: Q;
  resolve(answer: A): void;
  reject(error: unknown): void;
}

/**
 * Questions of one moment, and those that come while others are being answered, are asked together: thousands that come at once would
 * otherwise each wait for a connection of their own, and give up on that.
 */
export class AskTogether<Q, A> {
  readonly #askAll: (questions: Q[]) => Promise<A[]>;
  readonly #most: number;
  #waiting: Waiting<Q, A>[] = [];
  #isAsking = false;

  /** `askAll` answers as many as it is asked, in their order; `most` of them at a time. */
  constructor(askAll: (questions: Q[]) => Promise<A[]>, most: number) {
    this.#askAll = askAll;
    this.#most = most;
  }

  ask(question: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject });
      if (this.#isAsking) return;
      this.#isAsking = true;
      setImmediate(() => void this.#answer());
    });
  }

  async #answer(): Promise<void> {
    while (this.#waiting.length > 0) {
      const some = this.#waiting.splice(0, this.#most);
      try {
        const answers = await this.#askAll(some.map(({ question }) => question));
        for (const [n, { resolve }] of some.entries()) resolve(answers[n] as A);
      } catch (error) {
        for (const { reject } of some) reject(error);
      }
    }
    this.#isAsking = false;
  }
}
