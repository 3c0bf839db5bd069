import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from './until.ts';

/** A notice bottom right, by its whole text. */
export const notice = (page: Page, text: string): Locator => page.locator('.ant-notification').getByText(text, { exact: true });

/** Closes a notice, so that the next one of the same words is a new one. */
export async function dismiss(page: Page, text: string): Promise<void> {
  await page.locator('.ant-notification-notice', { hasText: text }).getByRole('button', { name: 'Close' }).click();
  await notice(page, text).waitFor({ state: 'hidden' });
}

export const dialog = (page: Page, title: string): Locator => page.getByRole('dialog', { name: title });

export const isSeen = (locator: Locator): Promise<void> => locator.first().waitFor({ state: 'visible' });
export const isGone = (locator: Locator): Promise<void> => locator.waitFor({ state: 'hidden' });

/** For what becomes true by itself: asked again until it is. */
export const soon = <T>(read: () => Promise<T> | T) => expect.poll(read, { interval: 50 });

export const hasFocus = async (locator: Locator): Promise<boolean> => (await locator.and(locator.page().locator(':focus')).count()) === 1;

/** Menus, dialogs and notices come in under class names of these endings, and move away from a click while they do; an icon is called so, too. */
const isStill = `document.querySelector('[class*="-enter"]:not(.anticon-enter), [class*="-appear"]') === null`;
export const comeToRest = (page: Page): Promise<unknown> =>
  until('nothing moves in', 2000, () => page.evaluate<boolean>(isStill)).catch(() => {});

/** The address without its host. */
export function placeOf(page: Page): string {
  const { pathname, search, hash } = new URL(page.url());
  return pathname + search + hash;
}

export async function openProfileMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Profile menu' }).click();
}
