import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from './atomic-file.ts';
import { StartError } from './start-error.ts';

export interface PortRequest {
  /** The variable that chooses the port. */
  setting: string;
  /** The variable that chooses the address. */
  hostSetting?: string;
  host: string;
  port: number;
  /** The time that a role of a killed parent has to release the port. */
  timeoutMs?: number;
  platform?: string;
}

/**
 * Claims the port before anything else starts, so that a taken port costs one line and no waiting. Port 0 becomes a number here and not in
 * the role, so that a restarted role keeps its address.
 */
export async function claimPort(request: PortRequest): Promise<number> {
  const deadline = performance.now() + (request.timeoutMs ?? 0);
  for (;;) {
    try {
      return await (request.port === 0 ? freePort(request.host) : probe(request.host, request.port));
    } catch (error) {
      if (!hasCode(error, 'EADDRINUSE') || performance.now() > deadline) throw new StartError(explain(error, request), { cause: error });
      await sleep(50);
    }
  }
}

/**
 * Chooses a port below the range that systems use for outgoing connections: those could take ours while the server restarts, and a client
 * that connects to a closed port of that range can end up connected to itself.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let triesLeft = 50; ; triesLeft--) {
    try {
      return await probe(host, 15_000 + Math.floor(Math.random() * 17_000));
    } catch (error) {
      if (triesLeft === 0 || !hasCode(error, 'EADDRINUSE', 'EACCES')) throw error;
    }
  }
}

function probe(host: string, port: number): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen({ host, port, exclusive: true }, () => {
      const { port: taken } = server.address() as AddressInfo;
      server.close(() => done(taken));
    });
  });
}

function explain(error: unknown, { setting, hostSetting = 'HOST', host, port, platform = process.platform }: PortRequest): string {
  if (hasCode(error, 'EADDRINUSE')) {
    const airplay = platform === 'darwin' && port === 5000 ? ' macOS keeps 5000 for its AirPlay Receiver (System Settings, General).' : '';
    return `Port ${port} on ${host} is already in use. Set ${setting} to another one.${airplay}`;
  }
  if (hasCode(error, 'EACCES')) return `Port ${port} on ${host} needs rights this user does not have. Set ${setting} to one above 1023.`;
  if (hasCode(error, 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'))
    return `${host} is not an address of this machine. Set ${hostSetting} to another one.`;
  return `Port ${port} on ${host} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
}
