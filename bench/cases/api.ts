import { createServer } from 'node:http';
import { freePort } from '../../server/start/ports.ts';
import { type Case, type Figure, median, percentile } from '../report.ts';
import { signIn, startServer, withDataFolder } from '../server.ts';

const queries = 200;

/** What the pages ask most: the session, a list, one object, a search; held against node:http that answers the same bytes and knows nothing. */
export const apiCase: Case = {
  name: 'api',
  run: () => measure({ rounds: 300, seconds: 5, people: 20 }),
  quick: () => measure({ rounds: 100, seconds: 2, people: 10 }),
};

interface Plan {
  rounds: number;
  seconds: number;
  people: number;
}

type Ask = (path: string) => Promise<unknown>;

function measure({ rounds, seconds, people }: Plan): Promise<Figure[]> {
  return withDataFolder(async (dataFolder) => {
    const server = await startServer(dataFolder, await freePort());
    try {
      const headers = { authorization: `Key ${await signIn(server.url)}`, 'content-type': 'application/json' };
      await makeQueries(server.url, headers);
      const paths = ['/api/session', '/api/queries?page_size=25', '/api/queries/1', '/api/queries/search?q=reading'];
      const ask: Ask = async (path) => (await fetch(`${server.url}${path}`, { headers })).text();
      await using bare = await bareServer(server.url, headers, paths);
      const askBare: Ask = async (path) => (await fetch(`${bare.url}${path}`, { headers })).text();
      const figures: Figure[] = [];
      for (const path of paths) {
        const [own, alone] = [await times(ask, path, rounds), await times(askBare, path, rounds)];
        figures.push({
          what: `GET ${path}, p50`,
          value: median(own),
          unit: 'ms',
          reference: { what: 'node:http', value: median(alone) },
          goal: '≤ + 10 ms',
          isMet: median(own) <= median(alone) + 10,
        });
      }
      const [busy, busyBare] = [await together(ask, paths, people, seconds), await together(askBare, paths, people, seconds)];
      return [
        ...figures,
        {
          what: `answers a second to ${people} people at once`,
          value: busy.length / seconds,
          unit: 'answers/s',
          reference: { what: 'node:http', value: busyBare.length / seconds },
          goal: '≥ 200',
          isMet: busy.length / seconds >= 200,
        },
        { what: 'p99 of these', value: percentile(busy, 0.99), unit: 'ms', goal: '≤ 250 ms', isMet: percentile(busy, 0.99) <= 250 },
      ];
    } finally {
      await server.stop();
    }
  });
}

async function makeQueries(url: string, headers: Record<string, string>): Promise<void> {
  const sources = (await (await fetch(`${url}/api/data_sources`, { headers })).json()) as { id: number }[];
  for (let n = 0; n < queries; n++) {
    const body = JSON.stringify({ name: `Reading ${n}`, query: `select ${n}`, data_source_id: sources[0]?.id });
    await (await fetch(`${url}/api/queries`, { method: 'POST', headers, body })).text();
  }
}

/** The same answers from memory. */
async function bareServer(url: string, headers: Record<string, string>, paths: string[]) {
  const answers = new Map<string, Buffer>();
  for (const path of paths) answers.set(path, Buffer.from(await (await fetch(`${url}${path}`, { headers })).arrayBuffer()));
  const server = createServer((request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(answers.get(request.url ?? '')),
  );
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function times(ask: Ask, path: string, rounds: number): Promise<number[]> {
  // The first ones are compiled while they run.
  for (let n = 0; n < rounds / 3; n++) await ask(path);
  const took: number[] = [];
  for (let n = 0; n < rounds; n++) {
    const startedAt = performance.now();
    await ask(path);
    took.push(performance.now() - startedAt);
  }
  return took;
}

async function together(ask: Ask, paths: string[], people: number, seconds: number): Promise<number[]> {
  const until = performance.now() + seconds * 1000;
  const took: number[] = [];
  await Promise.all(
    Array.from({ length: people }, async (_, person) => {
      for (let turn = person; performance.now() < until; turn++) {
        const startedAt = performance.now();
        await ask(paths[turn % paths.length] ?? '');
        took.push(performance.now() - startedAt);
      }
    }),
  );
  return took;
}
