import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mayPublish, narrowFilter, nothingElse, rulesOf, type Speaker, type TopicRule } from '@telltale/domain/uplinks/topics.ts';
import { z } from 'zod';
import type { Logger } from '../../platform/log.ts';
import { readDeviceKey } from '../device-key.ts';
import type { DeviceDirectory } from '../directory.ts';
import { Attempts } from './attempts.ts';
import { type Listener, listening } from './listeners.ts';
import { admit, type FindUser, type Principal } from './principal.ts';

export interface HookParts {
  directory: DeviceDirectory;
  findUser: FindUser;
  log: Logger;
  /** design 8.1: lets a scheduler of the installation send a command. Returns a status and a body. */
  sendCommand?: (id: number, body: unknown) => Promise<{ status: number; body: object }>;
}

const largestBody = 64 * 1024;
const believedSeconds = 3600;
const secretHeader = 'x-telltale-secret';
const field = z.string().max(65_535).nullish();
const AuthQuestion = z.object({ clientid: field, username: field, password: field, peerhost: field });
const AclQuestion = z.object({ clientid: field, username: field, action: z.string(), topic: z.string() });

type Answer = { result: 'allow' | 'deny'; client_attrs?: Record<string, string>; acl?: TopicRule[]; expire_at?: number };
const deny: Answer = { result: 'deny' };

/**
 * iot-behaviour 1.13: answers the authentication and authorisation requests of an external broker. Anything but 200 would make that broker
 * try its next source, so a refusal is a 200, too.
 */
export function listenHooks({ host, port, secret }: { host: string; port: number; secret: string }, parts: HookParts): Promise<Listener> {
  const attempts = new Attempts();
  const answers: Record<string, (body: unknown) => Promise<Answer>> = {
    '/internal/mqtt/auth': (body) => authenticate(AuthQuestion.parse(body), parts, attempts),
    '/internal/mqtt/acl': (body) => authorize(AclQuestion.parse(body), parts.directory),
  };
  const server = createServer((request, response) => {
    const answer = request.method === 'POST' ? answers[request.url ?? ''] : undefined;
    const command = request.method === 'POST' ? /^\/command\/([1-9]\d{0,9})$/.exec(request.url ?? '')?.[1] : undefined;
    if (!isSame(String(request.headers[secretHeader] ?? ''), secret)) reply(response, 401, deny);
    else if (command && parts.sendCommand) sendCommand(Number(command), request, response, parts);
    else if (!answer) reply(response, 404, deny);
    else
      readBody(request)
        .then(answer)
        .then((given) => reply(response, 200, given))
        .catch((error: Error) => {
          parts.log.warn({ err: error.message, hook: request.url }, 'a question of the broker could not be answered');
          reply(response, 200, deny);
        });
  });
  return listening(server, host, port);
}

function sendCommand(id: number, request: IncomingMessage, response: ServerResponse, { sendCommand: send, log }: HookParts): void {
  readBody(request)
    .catch(() => undefined)
    .then((body) => send?.(id, body))
    .then((given) => reply(response, given?.status ?? 404, given?.body ?? {}))
    .catch((error: Error) => {
      log.error({ err: error, command: id }, 'a command could not be sent for the scheduler');
      reply(response, 500, { message: 'This failed for an unexpected reason.' });
    });
}

async function authenticate(
  question: z.output<typeof AuthQuestion>,
  { directory, findUser }: HookParts,
  attempts: Attempts,
): Promise<Answer> {
  const [username, address] = [question.username ?? '', question.peerhost ?? ''];
  if (attempts.isLockedOut(address, username)) return deny;
  const admission = await admit(directory, findUser, username, question.password ?? undefined);
  if ('returnCode' in admission) {
    if (admission.returnCode === 4) attempts.failed(address, username);
    return deny;
  }
  const { principal } = admission;
  return { result: 'allow', ...rightsOf(principal), expire_at: Math.floor(Date.now() / 1000) + believedSeconds };
}

const watched = ['up', 'up/#', 'state'];

function rightsOf(principal: Principal): Pick<Answer, 'client_attrs' | 'acl'> {
  if (principal.kind === 'user') {
    const channels = principal.user.channel_ids ?? ['+'];
    const rules = [...channels].flatMap((channel) =>
      watched.map((kind): TopicRule => ({ permission: 'allow', action: 'subscribe', topic: `v1/${channel}/devices/+/${kind}` })),
    );
    return { client_attrs: {}, acl: [...rules, nothingElse] };
  }
  const { channel_id, device_id } = principal.speaker;
  return { client_attrs: { channel: channel_id, ...(device_id === null ? {} : { device: device_id }) }, acl: rulesOf(principal.speaker) };
}

/**
 * Authorises by the user name alone, which the broker has verified; a filter that would need narrowing is refused, as it cannot be narrowed
 * here.
 */
async function authorize({ username, action, topic }: z.output<typeof AclQuestion>, directory: DeviceDirectory): Promise<Answer> {
  const speaker = await findSpeaker(username ?? '', directory);
  if (!speaker) return deny;
  const isAllowed =
    action === 'publish' ? mayPublish(topic, speaker) !== undefined : action === 'subscribe' && narrowFilter(topic, speaker) === topic;
  return { result: isAllowed ? 'allow' : 'deny' };
}

async function findSpeaker(username: string, directory: DeviceDirectory): Promise<Speaker | undefined> {
  const token = readDeviceKey(username);
  const holder = token && (await directory.findByLookupId(token.lookup_id));
  const [channelId = '', deviceId, ...more] = username.split('/');
  const device =
    holder?.kind === 'device' && isSame(holder.key_hash.toString('hex'), token?.key_hash.toString('hex') ?? '')
      ? holder.device
      : deviceId !== undefined && more.length === 0
        ? await directory.findDevice(channelId, deviceId)
        : undefined;
  if (device) {
    const { channel_id, thingsboard_topics } = device.channel;
    return device.isDisabled ? undefined : { channel_id, device_id: device.device_id, thingsboard_topics };
  }
  const channel = deviceId === undefined && !token ? await directory.findChannel(channelId) : undefined;
  return channel && !channel.isDisabled ? { channel_id: channel.channel_id, device_id: null, thingsboard_topics: false } : undefined;
}

const digest = (text: string) => createHash('sha256').update(text).digest();
const isSame = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody) throw new Error('The question is too long.');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function reply(response: ServerResponse, status: number, answer: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(answer));
}
