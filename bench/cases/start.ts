import { spawnSync } from 'node:child_process';
import { freePort } from '../../server/start/ports.ts';
import { type Case, median } from '../report.ts';
import { startServer, withEmptyFolder } from '../server.ts';

const seconds = (ms: number) => ms / 1000;

/** How long people wait after `npm start`. */
export const startCase: Case = {
  name: 'start',
  run: () =>
    withEmptyFolder(async (dataFolder) => {
      const port = await freePort();
      const first = await startServer(dataFolder, port);
      await first.stop();
      const again: number[] = [];
      for (let turn = 0; turn < 3; turn++) {
        const server = await startServer(dataFolder, port);
        again.push(server.readyMs);
        await server.stop();
      }
      const bareAt = performance.now();
      spawnSync('npm', ['exec', '--silent', '--', 'node', '-e', '0']);
      const bare = performance.now() - bareAt;
      const reference = { what: 'npm running an empty script', value: seconds(bare) };
      return [
        { what: 'second start to ready', value: seconds(median(again)), unit: 's', reference, goal: '≤ 2 s', isMet: median(again) <= 2000 },
        {
          what: 'first start to ready (builds the pages, makes the database)',
          value: seconds(first.readyMs),
          unit: 's',
          reference,
          goal: '–',
          isMet: true,
        },
      ];
    }),
};
