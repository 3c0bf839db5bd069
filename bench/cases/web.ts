import { gzipSync } from 'node:zlib';
import { freePort } from '../../server/start/ports.ts';
import { launchBrowser } from '../../tests/e2e/support/browser.ts';
import { pictureFigures } from '../pictures.ts';
import { type Case, median } from '../report.ts';
import { account, startServer, withDataFolder } from '../server.ts';

/** React and Ant Design alone, measured while choosing them (design 7). */
const shellAlone = { home: 223, list: 344 };

/** What a first visit downloads and how long it waits; how a chart and a table of a million rows behave. */
export const webCase: Case = {
  name: 'web',
  run: () =>
    withDataFolder(async (dataFolder) => {
      const server = await startServer(dataFolder, await freePort());
      const browser = await launchBrowser();
      try {
        const visit = async (path: string) => {
          const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
          const page = await context.newPage();
          await page.goto(`${server.url}/login?next=/api/docs`);
          await page.fill('[name=email]', account.email);
          await page.fill('[name=password]', account.password);
          await page.click('button[type=submit]');
          await page.waitForURL('**/api/docs');
          const scripts: Promise<number>[] = [];
          page.on('response', (response) => {
            if (!/javascript/.test(response.headers()['content-type'] ?? '')) return;
            scripts.push(response.body().then((body) => gzipSync(body, { level: 6 }).length));
          });
          const startedAt = performance.now();
          await page.goto(`${server.url}${path}`);
          await page.locator('main h1').first().waitFor();
          const interactive = performance.now() - startedAt;
          await page.waitForLoadState('networkidle');
          const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
          await context.close();
          return { kb: bytes / 1024, interactive };
        };
        const home = await visit('/');
        const list = await visit('/users');
        const times = [home.interactive, (await visit('/')).interactive, (await visit('/')).interactive];
        return [
          {
            what: 'script of a first load of home, gzip',
            value: home.kb,
            unit: 'KB',
            reference: { what: 'React + Ant Design alone', value: shellAlone.home },
            goal: '≤ 260 KB',
            isMet: home.kb <= 260,
          },
          {
            what: 'script of a first load of a list page, gzip',
            value: list.kb,
            unit: 'KB',
            reference: { what: 'the same with a table', value: shellAlone.list },
            goal: '≤ 300 KB',
            isMet: list.kb <= 300,
          },
          { what: 'home usable after', value: median(times), unit: 'ms', goal: '–', isMet: true },
          ...(await pictureFigures(browser)),
        ];
      } finally {
        await browser.close();
        await server.stop();
      }
    }),
};
