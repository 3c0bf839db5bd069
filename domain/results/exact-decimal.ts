/** A decimal that no double holds: it is stored as text, in a column of numbers all the same (design 8). */
export class ExactDecimal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return this.text;
  }
}
