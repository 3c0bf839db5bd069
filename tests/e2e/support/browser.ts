import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { buildFolder } from '../../../server/start/builder.ts';

const installed = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

/** The npm package carries a browser for this machine: it is built for Linux on x64 only. */
export const hasPackedBrowser = process.platform === 'linux' && process.arch === 'x64';

const findInstalled = (): string | undefined => process.env.TELLTALE_BROWSER ?? installed.find((path) => existsSync(path));

/** Why no journey can run here, or undefined: the browser project is then skipped by name. */
export const missingBrowser: string | undefined =
  hasPackedBrowser || findInstalled() ? undefined : 'install Chromium or Chrome, or set TELLTALE_BROWSER to one';

/**
 * The Chromium that comes with npm, unpacked into a folder of its own version. The package itself would unpack to a fixed path, where a
 * second process finds a file that is still being written, and where the browser of an older version stays.
 */
async function unpackedBrowser(): Promise<string> {
  const packageFile = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..', 'package.json');
  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
  const folder = join(import.meta.dirname, '..', '..', '..', 'artifacts', 'browser', version);
  const program = join(folder, 'chromium');
  if (!existsSync(program)) await buildFolder(folder, { what: 'The browser', script: join(import.meta.dirname, 'unpack-browser.ts') });
  return program;
}

/** TELLTALE_BROWSER, or the Chromium that comes with npm, or an installed one. Our own flags: the package's switch web security off. */
export async function findBrowser(): Promise<string> {
  if (!process.env.TELLTALE_BROWSER && hasPackedBrowser) return unpackedBrowser();
  const found = findInstalled();
  if (!found) throw new Error(`No browser was found: ${missingBrowser}.`);
  return found;
}

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await findBrowser(),
    headless: true,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--font-render-hinting=none',
      // Functions are compiled by their first call only: pages live for seconds here, and compiling ahead took a twentieth of the time.
      // Compiling and collecting garbage beside the page takes about another one, and gains nothing while other journeys want the processors.
      '--js-flags=--max-lazy --single-threaded',
    ],
  });
}
