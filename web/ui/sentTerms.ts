/** The search terms that a box has sent. The address follows late: an older term of its own may come back after a newer one was sent. */
export class SentTerms {
  #terms: string[];

  constructor(first: string) {
    this.#terms = [first];
  }

  get last(): string | undefined {
    return this.#terms.at(-1);
  }

  send(term: string): void {
    this.#terms.push(term);
  }

  /** False when the term comes from elsewhere, such as Back; it then counts as the last one. */
  isEcho(term: string): boolean {
    const at = this.#terms.indexOf(term);
    this.#terms = at < 0 ? [term] : this.#terms.slice(at);
    return at >= 0;
  }
}
