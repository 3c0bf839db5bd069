import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

/** TELLTALE_BROWSER, or the Chromium that comes with npm on Linux, or an installed Chrome. Our own flags: the package's switch web security off. */
async function executable(): Promise<string> {
  if (process.env.TELLTALE_BROWSER) return process.env.TELLTALE_BROWSER;
  if (process.platform === 'linux') {
    const { default: packed } = await import('@sparticuz/chromium');
    return packed.executablePath();
  }
  const found = installed.find((path) => existsSync(path));
  if (!found) throw new Error('No browser found: set TELLTALE_BROWSER to a Chrome or Chromium.');
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
    ],
  });
}
