import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { type NewQuery, type Query, queriesApi } from '@telltale/domain/queries/contract.ts';
import type { Locator, Page } from 'playwright-core';
import type { TestClient } from '../../../server/testing/client.ts';
import { adminClient } from './people.ts';
import { comeToRest } from './screen.ts';

/** The built-in source, on which every SELECT runs. */
export async function builtInSource(): Promise<number> {
  const sources = await (await adminClient()).get(dataSourcesApi.list);
  const found = Array.isArray(sources) ? sources.find(({ type }) => type === 'telltale') : undefined;
  if (!found) throw new Error('The console has no built-in source.');
  return found.id;
}

export async function makeQuery(given: Partial<NewQuery> & { query: string }, client?: TestClient): Promise<Query> {
  const by = client ?? (await adminClient());
  return by.get(queriesApi.create, { body: { name: 'A query', data_source_id: await builtInSource(), ...given } });
}

/** As it is saved now. */
export async function readQuery(id: number): Promise<Query> {
  const query = await (await adminClient()).get(queriesApi.get, { params: { id } });
  if (!('query' in query)) throw new Error('An administrator reads all of a query.');
  return query;
}

export const editor = (page: Page): Locator => page.locator('.cm-content');

/** Replaces the text, as a paste does. */
export async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

/** What stands in the editor; only of short texts, because lines out of sight are not drawn. */
export const textOf = async (page: Page): Promise<string> => (await editor(page).innerText()).trim();

export const cell = (page: Page, text: string): Locator => page.getByRole('region', { name: 'Result' }).getByText(text, { exact: true });

/** An entry of the menu behind the three dots of a query. */
export async function menu(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: entry }).waitFor();
  await comeToRest(page);
  await page.getByRole('menuitem', { name: entry }).click();
}

/** An entry of the menu below the result. */
export async function resultMenu(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'Result actions' }).click();
  await page.getByRole('menuitem', { name: entry }).waitFor();
  await comeToRest(page);
  await page.getByRole('menuitem', { name: entry }).click();
}

/** An option of a select; long lists draw only what can be seen, so they are scrolled to it. */
export async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await field.click();
  // One that is on its way out is still there.
  const list = page.locator('.ant-select-dropdown:not(.ant-slide-up-leave):visible');
  const found = list.getByTitle(option, { exact: true }).first();
  await list.waitFor();
  // A long list draws only what is in sight, and opens where the chosen one is: it is looked through from its top.
  for (let tries = 0; tries < 40 && !(await found.isVisible()); tries++) {
    await list.hover();
    await page.mouse.wheel(0, tries === 0 ? -10_000 : 120);
    await page.waitForTimeout(50);
  }
  await found.click();
  // The list of several choices stays open.
  const isOfSeveral = (await field.locator('xpath=ancestor-or-self::*[contains(@class, "ant-select-multiple")]').count()) > 0;
  if (!isOfSeveral) await list.waitFor({ state: 'hidden' });
}
