import type { Refusal } from '@telltale/domain/uplinks/record.ts';
import { readPort } from '@telltale/domain/uplinks/topics.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { admission } from '../networks/admission.ts';
import { isSameKey, readDeviceKey } from '../networks/device-key.ts';
import type { ChannelEntry, DeviceEntry } from '../networks/directory.ts';
import type { HttpDownlinks } from '../networks/downlinks.ts';
import type { PayloadDecoder } from '../networks/uplink-decoder.ts';
import type { Message, Outcome } from '../networks/uplink-sink.ts';
import type { Services } from '../platform/context.ts';
import { AppError, forbidden, notFound } from '../platform/errors.ts';
import type { Http, PageRoute } from '../platform/http/http.ts';
import { createDirectory, type RegisterDevice } from './directory.ts';
import { Uplinks } from './uplinks.ts';
import type { UplinkWatcher } from './watchers.ts';

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
  too_many_devices: 403,
};

const bytes = 'application/octet-stream';
/** The answer to a device, for the OpenAPI document. */
const uplinkAnswer = {
  type: 'object',
  properties: {
    uplink_id: { type: 'string' },
    status: { type: 'string', enum: ['stored', 'partial', 'duplicate'] },
    points: { type: 'integer' },
    warnings: { type: 'array', items: { type: 'string' } },
    errors: { type: 'array', items: { type: 'string' } },
  },
  required: ['uplink_id', 'status', 'points'],
};

type Format = Pick<Message, 'format' | 'fport'>;

/**
 * iot-behaviour 1.12: uplinks over HTTP, by the same rules and with a group commit of its own. Created with the first call of a device:
 * most consoles never have one.
 */
export interface UplinkParts {
  register?: RegisterDevice;
  /** Created with the first uplink, stopped with the server. */
  watchers?: (services: Services) => UplinkWatcher[];
  /** Commands for devices that fetch them. */
  downlinks?: HttpDownlinks;
  /** Reads bytes by the script of their channel. */
  decoder?: PayloadDecoder;
}

export function uplinkRoutes(http: Http, services: Services, { register, watchers, downlinks, decoder }: UplinkParts = {}): void {
  let made: { directory: ReturnType<typeof createDirectory>; uplinks: Uplinks; watching: UplinkWatcher[] } | undefined;
  const parts = () => {
    if (made) return made;
    const watching = watchers?.(services) ?? [];
    made = { directory: createDirectory(services, register), uplinks: new Uplinks(services, { watchers: watching, decoder }), watching };
    return made;
  };
  http.server.addHook('onClose', async () => {
    await downlinks?.stop();
    await made?.uplinks.stop();
    await made?.directory.stop();
    for (const watcher of made?.watching ?? []) await watcher.stop?.();
  });

  /** The device named by the key and the address together; a gateway may name any device of its channel. */
  const findSender = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ channel: ChannelEntry; device: DeviceEntry | undefined }> => {
    const { channel: channelId = '', device: deviceId = '' } = request.params as Record<string, string>;
    const { directory } = parts();
    const given = readDeviceKey((request.headers.authorization ?? '').replace(/^key\s+/i, '').trim());
    const holder = given && (await directory.findByLookupId(given.lookup_id));
    // RFC 9110: a 401 names the expected authentication.
    reply.header('www-authenticate', 'Key realm="devices"');
    if (!given || !holder || !isSameKey(given, holder)) throw keyFault(request);
    if (holder.kind === 'device') {
      const { device } = holder;
      const isOther = device.channel.channel_id !== channelId || device.device_id !== deviceId;
      if (isOther)
        throw notOpened(
          'other_device',
          `This key belongs to the device ${device.channel.channel_id}/${device.device_id}, not to the one in the address.`,
        );
      reply.removeHeader('www-authenticate');
      return { channel: device.channel, device };
    }
    if (holder.channel.channel_id !== channelId)
      throw notOpened('other_channel', `This key belongs to the channel ${holder.channel.channel_id}, not to the one in the address.`);
    reply.removeHeader('www-authenticate');
    const device = (await directory.findDevice(channelId, deviceId)) ?? (await directory.createDevice(holder.channel, deviceId));
    return { channel: holder.channel, device };
  };

  const receive = async (request: FastifyRequest, reply: FastifyReply, { format, fport }: Format) => {
    const { channel, device } = await findSender(request, reply);
    const { uplinks, watching } = parts();
    await Promise.all(watching.map((watcher) => watcher.ready?.()));
    const payload = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const topic = request.url.split('?', 1)[0]?.slice(0, 256) ?? '';
    const { device: device_id = '' } = request.params as Record<string, string>;
    const refuse = ({ code, message }: Refusal) =>
      new Promise<Outcome>((done) =>
        uplinks.reject({ channel, device: device ?? null, device_id: device_id.slice(0, 64), topic, payload, code, message }, done),
      );
    const store = (known: DeviceEntry) =>
      new Promise<Outcome>((done) =>
        uplinks.receive({ device: known, topic, format, fport, payload, source: 'http', packet_id: null, isRepeat: false }, done),
      );
    // A request is not held back: over-rate senders are refused with 429.
    const admitted = admission(parts(), { channel, device, device_id, canWait: false });
    return answer(reply, await (admitted.refusal ? refuse(admitted.refusal) : store(admitted.device)));
  };

  const route = (path: string, summary: string, accepts: string[]): PageRoute => ({
    method: 'POST',
    path: `${base}${path}`,
    needs: 'anyone',
    raw: true,
    summary,
    documented: { accepts, answer: path === '/ack' ? {} : uplinkAnswer, answers: path === '/ack' ? 204 : 200 },
  });
  const up = (path: string, format: Message['format'], summary: string, accepts: string[]) =>
    http.page(route(path, summary, accepts), (_ctx, request, reply) => receive(request, reply, { format, fport: null }));
  up('/up', 'auto', 'A device reports; needs its key. The format is recognized.', ['application/json', 'application/senml+json', bytes]);
  up('/up/json', 'json', 'A device reports JSON; needs its key.', ['application/json']);
  up('/up/senml', 'senml', 'A device reports a SenML pack; needs its key.', ['application/senml+json', 'application/json']);
  up('/up/lpp', 'lpp', 'A device reports Cayenne LPP; needs its key.', [bytes]);
  http.page(route('/up/raw/:fport', 'A device reports bytes for a decoder; needs its key.', [bytes]), (_ctx, request, reply) => {
    const fport = readPort((request.params as Record<string, string>).fport ?? '');
    if (fport === undefined) throw notFound();
    return receive(request, reply, { format: 'raw', fport });
  });
  http.page(
    {
      method: 'GET',
      path: `${base}/down`,
      needs: 'anyone',
      summary: 'Waits for a command to a device; needs its key.',
      documented: { answer: { type: 'object' } },
    },
    async (_ctx, request, reply) => {
      const { device } = await findSender(request, reply);
      if (!device) throw notFound('Device');
      const asked = Number((request.query as Record<string, unknown>).wait ?? 0);
      const seconds = Number.isFinite(asked) ? Math.min(Math.max(asked, 0), longestWaitSeconds) : 0;
      if (device.isDisabled) throw forbidden('The device is disabled.');
      const gone = new AbortController();
      request.raw.once('close', () => gone.abort());
      const message = await downlinks?.next(device, seconds * 1000, gone.signal);
      reply.header('cache-control', 'no-store');
      return message ? reply.send(message) : reply.code(204).send();
    },
  );
  http.page(route('/ack', 'A device answers a command; needs its key.', ['application/json']), async (_ctx, request, reply) => {
    const { device } = await findSender(request, reply);
    if (!device) throw notFound('Device');
    if (device.isDisabled) throw forbidden('The device is disabled.');
    const refusal = await downlinks?.answer(device, Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0), (to, points) =>
      parts().uplinks.notePoints(to, points),
    );
    if (refusal) return reply.code(statuses[refusal.code] ?? 400).send(refusal);
    return reply.code(204).send();
  });
}

const notOpened = (code: string, message: string) => new AppError(401, code, message, { body: { code } });

/** The error for authors of firmware: a key that is missing, in the wrong place or wrong. */
function keyFault({ headers, query }: FastifyRequest): AppError {
  const usage = 'Send the key of the device in the header "Authorization: Key …".';
  const isElsewhere = headers['x-api-key'] !== undefined || Object.keys(query as object).some((name) => /^(api_?)?key$|token/i.test(name));
  const given = headers.authorization?.trim() ?? '';
  if (given === '')
    return isElsewhere ? notOpened('misplaced_key', `The key is in the wrong place. ${usage}`) : notOpened('missing_key', usage);
  if (/^(bearer|basic|token)\s/i.test(given)) return notOpened('misplaced_key', `This is another kind of authorization. ${usage}`);
  return notOpened(
    'wrong_key',
    'This key does not open this device. Copy it again from the page of the device; keys that were replaced stop working.',
  );
}

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
