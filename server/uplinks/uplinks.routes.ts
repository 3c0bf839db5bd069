import { setTimeout as delay } from 'node:timers/promises';
import { readPort } from '@telltale/domain/uplinks/topics.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSameKey, readDeviceKey } from '../networks/device-key.ts';
import type { ChannelEntry, DeviceEntry } from '../networks/directory.ts';
import type { Message, Outcome, Refused } from '../networks/uplink-sink.ts';
import type { Services } from '../platform/context.ts';
import { AppError, notFound } from '../platform/errors.ts';
import type { Http, PageRoute } from '../platform/http/http.ts';
import { createDirectory, type RegisterDevice } from './directory.ts';
import { Uplinks } from './uplinks.ts';

const base = '/api/v1/:channel/devices/:device';
const longestWaitSeconds = 60;
const retryAfterSeconds = 5;

/** iot-behaviour 1.10: the same codes as over MQTT. */
const statuses: Record<string, number> = {
  too_large: 413,
  too_many_points: 413,
  unknown_device: 404,
  device_disabled: 403,
  rate_limited: 429,
};

type Format = Pick<Message, 'format' | 'fport'>;

/**
 * iot-behaviour 1.12: what devices say over HTTP, by the same rules and with a group commit of its own. Made when the first
 * device calls: most consoles never hear one.
 */
export function uplinkRoutes(http: Http, services: Services, register?: RegisterDevice): void {
  let made: { directory: ReturnType<typeof createDirectory>; uplinks: Uplinks } | undefined;
  const house = () => {
    made ??= { directory: createDirectory(services, register), uplinks: new Uplinks(services) };
    return made;
  };
  http.server.addHook('onClose', async () => {
    await made?.uplinks.stop();
    await made?.directory.stop();
  });

  /** The device that the key and the address name together; a gateway may name any of its channel. */
  const findSender = async (request: FastifyRequest): Promise<{ channel: ChannelEntry; device: DeviceEntry | undefined }> => {
    const { channel: channelId = '', device: deviceId = '' } = request.params as Record<string, string>;
    const { directory } = house();
    const given = readDeviceKey((request.headers.authorization ?? '').replace(/^key\s+/i, '').trim());
    const holder = given && (await directory.findByLookupId(given.lookup_id));
    if (!given || !holder || !isSameKey(given, holder)) throw wrongKey();
    if (holder.kind === 'device') {
      const { device } = holder;
      if (device.channel.channel_id !== channelId || device.device_id !== deviceId) throw wrongKey();
      return { channel: device.channel, device };
    }
    if (holder.channel.channel_id !== channelId) throw wrongKey();
    const device = (await directory.findDevice(channelId, deviceId)) ?? (await directory.createDevice(holder.channel, deviceId));
    return { channel: holder.channel, device };
  };

  const receive = async (request: FastifyRequest, reply: FastifyReply, { format, fport }: Format) => {
    const { channel, device } = await findSender(request);
    const { uplinks } = house();
    const payload = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const topic = request.url.split('?', 1)[0]?.slice(0, 256) ?? '';
    const { device: device_id = '' } = request.params as Record<string, string>;
    const refuse = (code: Refused['code'], message: string) =>
      new Promise<Outcome>((done) =>
        uplinks.reject({ channel, device: device ?? null, device_id: device_id.slice(0, 64), topic, payload, code, message }, done),
      );
    const store = (known: DeviceEntry) =>
      new Promise<Outcome>((done) =>
        uplinks.receive({ device: known, topic, format, fport, payload, source: 'http', packet_id: null, isRepeat: false }, done),
      );
    if (!device) return answer(reply, await refuse('unknown_device', `The channel has no device ${device_id.slice(0, 36)}.`));
    if (device.isDisabled) return answer(reply, await refuse('device_disabled', 'The device is disabled.'));
    if (!uplinks.hasRoom(device)) return answer(reply, await refuse('rate_limited', 'The device sends faster than it may.'));
    return answer(reply, await store(device));
  };

  const route = (path: string, summary: string): PageRoute => ({
    method: 'POST',
    path: `${base}${path}`,
    needs: 'anyone',
    raw: true,
    summary,
  });
  const up = (path: string, format: Message['format'], summary: string) =>
    http.page(route(path, summary), (_ctx, request, reply) => receive(request, reply, { format, fport: null }));
  up('/up', 'auto', 'A device reports; needs its key. The format is recognized.');
  up('/up/json', 'json', 'A device reports JSON; needs its key.');
  up('/up/senml', 'senml', 'A device reports a SenML pack; needs its key.');
  up('/up/lpp', 'lpp', 'A device reports Cayenne LPP; needs its key.');
  http.page(route('/up/raw/:fport', 'A device reports bytes for a decoder; needs its key.'), (_ctx, request, reply) => {
    const fport = readPort((request.params as Record<string, string>).fport ?? '');
    if (fport === undefined) throw notFound();
    return receive(request, reply, { format: 'raw', fport });
  });
  http.page(
    { method: 'GET', path: `${base}/down`, needs: 'anyone', summary: 'Waits for a command to a device; needs its key.' },
    async (_ctx, request, reply) => {
      const { device } = await findSender(request);
      if (!device) throw notFound('Device');
      const asked = Number((request.query as Record<string, unknown>).wait ?? 0);
      const seconds = Number.isFinite(asked) ? Math.min(Math.max(asked, 0), longestWaitSeconds) : 0;
      const gone = new AbortController();
      request.raw.once('close', () => gone.abort());
      await delay(seconds * 1000, undefined, { signal: gone.signal }).catch(() => {});
      return reply.code(204).send();
    },
  );
}

const wrongKey = () => new AppError(401, 'wrong_key', 'This key does not open this device.');

function answer(reply: FastifyReply, outcome: Outcome) {
  reply.header('cache-control', 'no-store');
  if (outcome.status === 'unavailable')
    return reply
      .code(503)
      .header('retry-after', retryAfterSeconds)
      .send({ code: 'storage_unavailable', message: 'This could not be stored. Send it again.' });
  if (outcome.status === 'duplicate') return reply.send({ ...outcome, points: 0, warnings: [], errors: [] });
  if (outcome.status !== 'rejected') return reply.send(outcome);
  const { code, message, uplink_id } = outcome;
  if (code === 'rate_limited') reply.header('retry-after', 1);
  return reply.code(statuses[code] ?? 400).send({ code, message, uplink_id });
}
