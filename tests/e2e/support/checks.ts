import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const script = readFileSync(join(import.meta.dirname, 'in-page.js'), 'utf8');

/** In-page functions by name; the script is put there first, which a content security policy does not see. */
async function ask<T>(page: Page, question: 'accessibility' | 'overflow' | 'clipped' | 'focus'): Promise<T> {
  if (!(await page.evaluate<boolean>("'checks' in globalThis"))) await page.evaluate(script);
  return page.evaluate<T>(`checks.${question}()`);
}

/** Names of controls, labels of inputs, unique ids, headings in order, contrast of plain text: the faults in words. */
export const accessibilityFaults = (page: Page) => ask<string[]>(page, 'accessibility');

export const overflow = (page: Page) => ask<string[]>(page, 'overflow');

/** Headings and main actions that cannot be seen as a whole. */
export const clipped = (page: Page) => ask<string[]>(page, 'clipped');

export interface Focus {
  name: string;
  /** The role that the element names, or the kind of element. */
  role: string;
  isVisible: boolean;
  /** There the Tab key writes; Escape leaves it (screens 1.5). */
  isEditor: boolean;
}

export const focused = (page: Page) => ask<Focus | null>(page, 'focus');

/** Everything the Tab key reaches from here, in its order, at most this many. */
export async function tabThrough(page: Page, most: number): Promise<Focus[]> {
  const stops: Focus[] = [];
  for (let left = most; left > 0; left--) {
    await page.keyboard.press('Tab');
    const stop = await focused(page);
    if (!stop) break;
    stops.push(stop);
    if (stop.isEditor) await page.keyboard.press('Escape');
  }
  return stops;
}
