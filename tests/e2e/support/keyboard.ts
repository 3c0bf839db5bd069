import type { Page } from 'playwright-core';
import { focused } from './checks.ts';
import { hasFocus, isSeen, soon } from './screen.ts';
import { until } from './until.ts';

/** Somebody without a mouse. Every place that the Tab key comes to must show that it has the focus. */
export class Hands {
  readonly #page: Page;
  /** Places where one could not see the focus. */
  readonly unseen = new Set<string>();

  constructor(page: Page) {
    this.#page = page;
  }

  press(key: string): Promise<void> {
    return this.#page.keyboard.press(key);
  }

  write(text: string): Promise<void> {
    return this.#page.keyboard.insertText(text);
  }

  /** Presses Tab until something of this name, and role, has the focus. */
  async to(name: RegExp, role?: 'combobox', most = 90): Promise<void> {
    const passed: string[] = [];
    for (let left = most; left > 0; left--) {
      const stop = await focused(this.#page);
      // A page that has come, and a dialog, have the focus first, under the name of everything in them.
      const isPlace = stop?.role === 'main' || stop?.role === 'div';
      if (stop && !isPlace && !stop.isVisible && passed.length > 0) this.unseen.add(stop.name);
      if (stop && !isPlace && name.test(stop.name) && (!role || stop.role === role)) return;
      passed.push(stop?.name ?? '(nothing)');
      if (stop?.isEditor) await this.press('Escape');
      await this.press('Tab');
    }
    throw new Error(`The Tab key does not come to ${name}, only to ${passed.join(' | ')}`);
  }

  async activate(name: RegExp): Promise<void> {
    await this.to(name);
    await this.press('Enter');
  }

  /** Writes into the search that is there everywhere, and presses Enter before it has an answer. */
  async openAtOnce(term: string): Promise<void> {
    await this.press('Control+k');
    const box = this.#page.getByRole('combobox', { name: 'Search everywhere' });
    await soon(() => hasFocus(box)).toBe(true);
    await this.write(term);
    await this.press('Enter');
    await box.waitFor({ state: 'hidden' });
  }

  /** Opens an object or a page by the search that is there everywhere; `kind` is what the search calls it. */
  async open(term: string, kind: string): Promise<void> {
    const page = this.#page;
    await this.press('Control+k');
    const box = page.getByRole('combobox', { name: 'Search everywhere' });
    await soon(() => hasFocus(box)).toBe(true);
    await this.write(term);
    const wanted = page.getByRole('option', { name: new RegExp(`^${term}.*${kind}$`) }).first();
    await isSeen(wanted);
    const results = page.getByRole('listbox', { name: 'Results' });
    await soon(() => results.getAttribute('aria-busy')).toBe('false');
    await until(`${term} is chosen`, 60_000, async () => {
      if ((await wanted.getAttribute('aria-selected')) === 'true') return true;
      await this.press('ArrowDown');
      return false;
    });
    await this.press('Enter');
    await box.waitFor({ state: 'hidden' });
  }

  /** Chooses an option of a select by a part of its name. */
  async choose(select: RegExp, option: string): Promise<void> {
    await this.to(select, 'combobox');
    await this.press('Enter');
    await this.write(option);
    await isSeen(this.#page.locator('.ant-select-item-option-active', { hasText: option }));
    await this.press('Enter');
  }
}
