import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

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

/** TELLTALE_BROWSER, or the Chromium that comes with npm, or an installed one. Our own flags: the package's switch web security off. */
async function executable(): Promise<string> {
  if (!process.env.TELLTALE_BROWSER && hasPackedBrowser) {
    const { default: packed } = await import('@sparticuz/chromium');
    return packed.executablePath();
  }
  const found = findInstalled();
  if (!found) throw new Error(`No browser was found: ${missingBrowser}.`);
  return found;
}

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await executable(),
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
