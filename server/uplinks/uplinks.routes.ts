import { simulationApi } from '@telltale/domain/channels/simulation-contract.ts';
import { readPort } from '@telltale/domain/uplinks/topics.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSameKey, readDeviceKey } from '../networks/device-key.ts';
import type { ChannelEntry, DeviceEntry } from '../networks/directory.ts';
import type { HttpDownlinks } from '../networks/downlinks.ts';
import type { Message, Outcome } from '../networks/uplink-sink.ts';
import type { Services } from '../platform/context.ts';
import { AppError, forbidden, notFound } from '../platform/errors.ts';
import type { Http, PageRoute } from '../platform/http/http.ts';
import { HttpIntake, type IntakeParts, refusalStatus } from './http-intake.ts';
import { simulateUplink } from './simulation.ts';

const base = '/api/v1/:channel/devices/:device';
const longestWaitSeconds = 60;
const retryAfterSeconds = 5;

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

export interface UplinkParts extends IntakeParts {
  /** Commands for devices that fetch them. */
  downlinks?: HttpDownlinks;
}

/** iot-behaviour 1.12: uplinks over HTTP, by the same rules; a person may send one in place of a device. */
export function uplinkRoutes(http: Http, services: Services, { downlinks, ...parts }: UplinkParts = {}): void {
  const intake = new HttpIntake(services, parts);
  http.server.addHook('onClose', async () => {
    await downlinks?.stop();
    await intake.stop();
  });
  http.on(simulationApi.simulate, (ctx, { params, body }) => simulateUplink(ctx, params, body, intake));

  /** The device named by the key and the address together; a gateway may name any device of its channel. */
  const findSender = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ channel: ChannelEntry; device: DeviceEntry | undefined }> => {
    const { channel: channelId = '', device: deviceId = '' } = request.params as Record<string, string>;
    const { directory } = intake;
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
    const payload = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const topic = request.url.split('?', 1)[0]?.slice(0, 256) ?? '';
    const { device: device_id = '' } = request.params as Record<string, string>;
    return answer(reply, await intake.take({ channel, device, device_id, topic, format, fport, payload, source: 'http' }));
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
      intake.uplinks.notePoints(to, points),
    );
    if (refusal) return reply.code(refusalStatus(refusal.code)).send(refusal);
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
  return reply.code(refusalStatus(code)).send({ code, message, uplink_id });
}
