import { setTimeout as delay } from 'node:timers/promises';
import { Id } from '@telltale/domain/endpoint.ts';
import type { FastifyRequest } from 'fastify';
import { Unreadable } from '../networks/network-event.ts';
import type { Ctx } from '../platform/context.ts';
import { AppError, forbidden, invalid } from '../platform/errors.ts';
import type { Http } from '../platform/http/http.ts';
import { equalInConstantTime } from '../platform/secrets.ts';
import { insertMessage, isWaiting } from './inbox.store.ts';
import { findNetworkRow, type NetworkRow, writeDownlinkWay } from './network-servers.store.ts';
import { kindOf, optionsOf } from './network-servers.ts';

const path = '/api/networks/:id/webhook';

/**
 * design 8.1: the webhooks of networks. A message is written down, handed to the process that holds the network, and answered when that has
 * stored it, or after a moment: it cannot be lost any more.
 */
export function webhookRoutes(http: Http): void {
  const receive = async (ctx: Ctx, request: FastifyRequest) => {
    const network = await requireNetwork(ctx, request);
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    if (/octet-stream|protobuf/i.test(request.headers['content-type'] ?? ''))
      throw new AppError(415, 'media_type', 'Protobuf is not read here. Set the encoding of the integration to JSON.');
    const event = eventOf(request);
    requireReadable(ctx, network, event, body);
    await noteDownlinkWay(ctx, network, request);
    const id = await insertMessage(ctx.db, network.id, event, body);
    await stored(ctx, id, kindOf(network.type).webhook?.answerWithinMs ?? 0);
    return {};
  };
  const route = (at: string) => ({
    method: 'POST' as const,
    path: at,
    needs: 'anyone' as const,
    raw: true,
    summary: 'A network reports; needs the secret of its webhook as a bearer token.',
  });
  http.page(route(path), (ctx, request) => receive(ctx, request));
  http.page(route(`${path}/*`), (ctx, request) => receive(ctx, request));
}

const wrongSecret = () => new AppError(401, 'wrong_secret', 'This secret does not open the webhook.');

async function requireNetwork(ctx: Ctx, request: FastifyRequest): Promise<NetworkRow> {
  const id = Id.safeParse((request.params as Record<string, string>).id);
  const [, given] = /^bearer\s+(\S+)$/i.exec(request.headers.authorization?.trim() ?? '') ?? [];
  const network = id.success && given ? await findNetworkRow(ctx.db, id.data) : undefined;
  if (!network || !given || !equalInConstantTime(given, ctx.secrets.open(network.webhook_secret_sealed))) throw wrongSecret();
  if (network.is_disabled) throw forbidden('The network is disabled.');
  return network;
}

/** ChirpStack names the event in the query, The Things Stack in the path, which is ignored (iot-behaviour 2.2). */
function eventOf(request: FastifyRequest): string | null {
  const { event } = request.query as Record<string, unknown>;
  const below = (request.params as Record<string, string>)['*'];
  const name = typeof event === 'string' ? event : below;
  return name && /^[\w/-]{1,64}$/.test(name) ? name : null;
}

/** An unreadable message is refused at once, so that the sender sees the failure. */
function requireReadable(ctx: Ctx, network: NetworkRow, event: string | null, body: Buffer): void {
  try {
    kindOf(network.type).read({ topic: null, event, body }, optionsOf(ctx.secrets, network));
  } catch (error) {
    if (error instanceof Unreadable) throw invalid(error.message);
    throw error;
  }
}

/** iot-behaviour 2.2: The Things Stack names the address for downlinks in each request, and the key if the operator entered one. */
async function noteDownlinkWay(ctx: Ctx, network: NetworkRow, { headers }: FastifyRequest): Promise<void> {
  const url = headers['x-downlink-push'];
  const key = headers['x-downlink-apikey'];
  const [, base] = typeof url === 'string' ? (/^(https?:\/\/[^\s?#]{1,500})\/devices\/[^/\s]+\/down\/push$/.exec(url) ?? []) : [];
  if (!base || network.type !== 'tts') return;
  const known = network.downlink_key_sealed && ctx.secrets.open(network.downlink_key_sealed);
  if (network.downlink_url === base && (known ?? undefined) === key) return;
  await writeDownlinkWay(ctx.db, network.id, base, typeof key === 'string' ? ctx.secrets.seal(key) : null);
}

async function stored(ctx: Ctx, id: number, timeoutMs: number): Promise<void> {
  const until = performance.now() + timeoutMs;
  for (let pauseMs = 8; performance.now() < until; pauseMs = Math.min(pauseMs * 1.5, 60)) {
    await delay(pauseMs);
    if (!(await isWaiting(ctx.db, id))) return;
  }
}
