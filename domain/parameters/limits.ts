import { Refused } from './render.ts';
import type { Resolved } from './resolve.ts';

/** The limit exceeds hand-written queries; each placeholder is looked up, written and read again. */
export const mostPlaceholders = 5000;

export const tooManyPlaceholders = (count: number): string =>
  `This query has ${count} placeholders; at most ${mostPlaceholders} are possible.`;

/** Characters: as long as a text without parameters may be. */
const longestByDefault = 1_000_000;

/**
 * The length of the finished text, counted before each value is written: 100,000 placeholders and one long value would make a text of
 * gigabytes, so the limit is checked before the text is built.
 */
export class FinishedSize {
  readonly #longest: number;
  #length: number;

  constructor(length: number, longest: number = longestByDefault) {
    this.#longest = longest;
    this.#length = length;
    this.#check();
  }

  /** Called before a value is written again. Escapes at most double its length; `require` counts those. */
  add({ items, multi }: Resolved): void {
    const around = (multi?.prefix ?? '').length + (multi?.suffix ?? '').length;
    const between = (multi?.separator ?? ',').length;
    this.#length += (items.length - 1) * between;
    for (const item of items) {
      this.#length += item.length + around;
      this.#check();
    }
  }

  require(text: string): void {
    this.#length = text.length;
    this.#check();
  }

  #check(): void {
    if (this.#length <= this.#longest) return;
    throw new Refused(`With these values the query is too long: at most ${this.#longest} characters are possible.`);
  }
}
