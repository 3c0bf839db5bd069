import { describe, expect, test } from 'vitest';
import { accessibilityFaults, clipped, overflow, tabThrough } from './support/checks.ts';
import { journey } from './support/journey.ts';
import { pagesOfThisConsole, parts, registered, routes, signedOut } from './support/pages.ts';
import { admin } from './support/people.ts';
import { soon } from './support/screen.ts';

const lookAtAll = await pagesOfThisConsole();

describe('look.md: every page is readable and named in both themes, shows its focus, and fits a zoom of 200 % and a phone of 360 px', () => {
  test('every registered page is looked at', () => expect(registered).toHaveLength([...routes.matchAll(/\bpage\('\//g)].length - 1));
  for (const [area, pages] of parts) {
    const paths = pages.map(({ path }) => path);
    test(area, lookAtAll(paths, { as: admin() }));
  }
  test('signed out', lookAtAll(signedOut, {}));
});

test(
  'the checks find what they look for',
  journey('checks', async ({ page }) => {
    await page.setContent(`<main><h1>Title</h1>
      <div style="width: 9px; overflow: hidden"><button class="ant-btn-primary">Half of it</button></div><h3>Too deep</h3><p id="a">one</p><p id="a">two</p><button></button><a href="/"><svg></svg></a>
      <input><p style="color: #999">faint</p><p style="font-size: 9px">tiny</p><div style="width: 3000px">wide</div>
      <a href="/" style="outline: none">bare</a><label>Named <input></label><label>Hinted <input name="hint" placeholder="Faint"></label>
      <label>Filled <input name="value" value="Faint" style="color: #999"></label></main>
      <style>input::placeholder { color: #999 }</style>`);
    await soon(() => accessibilityFaults(page)).toEqual([
      'duplicate id: a',
      expect.stringMatching(/^without a name: <button>/),
      expect.stringMatching(/^without a name: <a>/),
      expect.stringMatching(/^without a name: <input>/),
      'a heading of level 3 follows one of level 1: <h3> Too deep',
      'no title',
      'no language',
      'faint text (2.85): <p> faint',
      'text of 9 px: <p> tiny',
      'faint text (2.85): <input> hint',
      'faint text (2.85): <input> value',
    ]);
    await soon(() => overflow(page)).toHaveLength(1);
    await soon(() => clipped(page)).toEqual(['cut off: <button> Half of it']);
    await page.locator('input').first().focus();
    expect((await tabThrough(page, 1))[0]).toMatchObject({ name: 'bare', isVisible: false });
  }),
);
