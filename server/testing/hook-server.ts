import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { freePort } from '../start/ports.ts';
import { until } from './until.ts';

export interface ReceivedCall {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body as JSON, or undefined. */
  json: unknown;
  at: number;
}

export interface HookServer {
  url: string;
  calls: ReceivedCall[];
  /** The status codes for the next calls; 200 when the list is used up. */
  answers: number[];
  /** The calls to a path, as soon as there are this many. */
  callsTo(path: string, count?: number): Promise<ReceivedCall[]>;
  close(): Promise<void>;
}

/** A stand-in for the targets of notices: a real HTTP server that records its calls. It listens on loopback: allow private addresses. */
export async function hookServer(port?: number): Promise<HookServer> {
  const calls: ReceivedCall[] = [];
  const answers: number[] = [];
  const server: Server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '');
    calls.push({ path: request.url ?? '', headers: request.headers, body, json: parsed(body), at: performance.now() });
    response.writeHead(answers.shift() ?? 200).end('ok');
  });
  // Tests close it and open it again on the same port, which no outgoing connection may take meanwhile.
  const ownPort = port ?? (await freePort());
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(ownPort, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  afterAll(close);
  return {
    url: `http://127.0.0.1:${ownPort}`,
    calls,
    answers,
    close,
    async callsTo(path, count = 1) {
      const found = await until(
        () => calls.filter((call) => call.path === path),
        ({ length }) => length >= count,
      );
      if (found.length < count) throw new Error(`${found.length} of ${count} calls to ${path} arrived.`);
      return found;
    },
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
