import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { startGallery } from './support/gallery.ts';
import { journey } from './support/journey.ts';
import { comparePicture, isComparable, pendingPictures, referenceNames, stillPicture, watchRequests } from './support/pictures.ts';
import { soon } from './support/screen.ts';

const gallery = await startGallery();
afterAll(gallery.stop);

/** A moment that never passes, for what tells how long ago something was. */
const now = new Date('2026-03-01T12:00:00Z');

interface Listed {
  id: string;
  isPictured: boolean;
  isHostile: boolean;
}

async function openGallery(page: Page): Promise<Listed[]> {
  await page.clock.setFixedTime(now);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${gallery.url}?bare#none`);
  await page.evaluate(
    `Promise.all(['400 14px "Inter Variable"', '400 13px "JetBrains Mono Variable"'].map((font) => document.fonts.load(font)))`,
  );
  return page.evaluate<Listed[]>('galleryCases');
}

/** Without a new page: only the picture changes. */
async function show(page: Page, id: string) {
  await page.evaluate(`location.hash = ${JSON.stringify(`#${id}`)}`);
  const picture = page.locator(`[data-case="${id}"]`);
  await picture.locator('figure, [role="alert"]').first().waitFor();
  await soon(() => picture.getByText('Loading…').count()).toBe(0);
  return picture;
}

for (const theme of ['light', 'dark'] as const) {
  test(
    // The name says what was checked: other browsers than the packed one draw letters their own way.
    isComparable ? `every kind looks like its reference picture, ${theme}` : `every kind is shown without a fault, ${theme}`,
    { timeout: 900_000 },
    journey(
      `gallery-${theme}`,
      async ({ page, faults }) => {
        faults.allow(/This value cannot be read/); // the case that shows what a broken row does
        const wrong: string[] = [];
        const isQuiet = watchRequests(page);
        for (const { id } of (await openGallery(page)).filter(({ isPictured }) => isPictured)) {
          const picture = await show(page, id);
          // Where no picture can be compared, the page must still show each case without a fault.
          const fault = isComparable ? await comparePicture(`${id}-${theme}`, await stillPicture(picture, isQuiet)) : null;
          if (fault) wrong.push(fault);
        }
        expect(wrong).toEqual([]);
      },
      { theme },
    ),
  );
}

test(
  'every reference picture has its case',
  journey('gallery-references', async ({ page }) => {
    const ids = (await openGallery(page)).filter(({ isPictured }) => isPictured).map(({ id }) => id);
    expect(referenceNames().filter((name) => pendingPictures.includes(name))).toEqual([]);
    expect([...referenceNames(), ...pendingPictures].filter((name) => !ids.includes(name.replace(/-(light|dark)$/, '')))).toEqual([]);
  }),
);

test(
  'no kind breaks on a hostile result',
  { timeout: 900_000 },
  journey('gallery-hostile', async ({ page }) => {
    const wrong: string[] = [];
    for (const { id } of (await openGallery(page)).filter(({ isHostile }) => isHostile)) {
      const picture = await show(page, id);
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      if ((await picture.getByText('Error while rendering').count()) > 0) wrong.push(`${id}: ${await picture.innerText()}`);
      if (await page.evaluate<boolean>("'hacked' in window")) wrong.push(`${id}: a script of the data was run`);
    }
    expect(wrong).toEqual([]);
  }),
);
