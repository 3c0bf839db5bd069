import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Locator, Page, Request } from 'playwright-core';
import { PNG } from 'pngjs';
import { hasPackedBrowser } from './browser.ts';
import { artifacts } from './console.ts';
import { until } from './until.ts';

const references = join(import.meta.dirname, '..', 'pictures');
const isRenewing = process.env.TELLTALE_PICTURES === 'renew';
/** Pictures are those of the Chromium that comes with npm; another browser draws letters its own way. */
export const isComparable = hasPackedBrowser && !process.env.TELLTALE_BROWSER;

/**
 * Pictures that changed, or are new, and have not been taken with the packed Chromium yet, which has no build for every processor. They
 * are named as skipped; a renewal takes them, and then their name leaves the list.
 */
export const pendingPictures: readonly string[] = JSON.parse(readFileSync(join(references, 'pending.json'), 'utf8')) as string[];

/** Of all pixels. What is drawn twice is the same to the pixel here; another processor may round an edge another way. */
const mostDifferent = 0.002;

/** Counts what a page still waits for: fonts and the code of kinds come when they are first needed. */
export function watchRequests(page: Page): () => boolean {
  const open = new Set<Request>();
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return () => open.size === 0;
}

/** A picture of something that has come to rest: nothing is on its way, and it looks the same twice in a row. */
export async function stillPicture(locator: Locator, isQuiet: () => boolean): Promise<Buffer> {
  let before: Buffer | undefined;
  return until('the picture is at rest', 60_000, async () => {
    await locator.page().evaluate('document.fonts.ready');
    const wasQuiet = isQuiet();
    const now = await locator.screenshot({ animations: 'disabled', caret: 'hide' });
    const isSame = wasQuiet && isQuiet() && before?.equals(now);
    before = wasQuiet ? now : undefined;
    return isSame ? now : undefined;
  });
}

/** Names of all references. */
export const referenceNames = (): string[] =>
  readdirSync(references, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.png'))
    .map((path) => path.slice(0, -'.png'.length).replaceAll('\\', '/'));

/** What is wrong with it, or nothing. The picture and the difference are left in artifacts/pictures. */
export async function comparePicture(name: string, taken: Buffer): Promise<string | null> {
  const path = join(references, `${name}.png`);
  const isKnown = existsSync(path);
  if (isRenewing) {
    const fault = isKnown ? difference(await readFile(path), taken) : { text: 'new' };
    if (fault) await save(path, small(taken));
    return null;
  }
  if (!isKnown && pendingPictures.includes(name)) {
    console.log(`skipped: picture ${name} has not been taken with the packed browser yet`);
    return null;
  }
  if (!isKnown) return `${name}: there is no reference picture; see CONTRIBUTING.md on how to renew them`;
  const fault = difference(await readFile(path), taken);
  if (!fault) return null;
  await save(join(artifacts, 'pictures', `${name}.png`), taken);
  if (fault.picture) await save(join(artifacts, 'pictures', `${name}.difference.png`), fault.picture);
  return `${name}: ${fault.text}; see artifacts/pictures`;
}

function difference(reference: Buffer, taken: Buffer): { text: string; picture?: Buffer } | null {
  const [a, b] = [PNG.sync.read(reference), PNG.sync.read(taken)];
  if (a.width !== b.width || a.height !== b.height) return { text: `${b.width} × ${b.height} instead of ${a.width} × ${a.height}` };
  const shown = new PNG({ width: a.width, height: a.height });
  const count = pixelmatch(a.data, b.data, shown.data, a.width, a.height, { threshold: 0.15 });
  const share = count / (a.width * a.height);
  if (share <= mostDifferent) return null;
  return { text: `${(share * 100).toFixed(2)} % of the pixels differ`, picture: PNG.sync.write(shown) };
}

/** As little as a lossless picture takes: references are kept for ever. */
const small = (picture: Buffer): Buffer =>
  PNG.sync.write(PNG.sync.read(picture), { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 });

async function save(path: string, picture: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, picture);
}
