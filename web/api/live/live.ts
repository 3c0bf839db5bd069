import type { Job } from '@telltale/domain/jobs/contract.ts';
import { livePath, liveProtocol, type ServerEvents } from '@telltale/domain/live/contract.ts';
import { isSessionExpired, onSessionExpiry } from '../expiredSession.ts';
import { LiveConnection } from './LiveConnection.ts';
import { TopicFeed, type TopicKind } from './TopicFeed.ts';
import { UplinkFeed, type UplinkListener, type UplinkRequest } from './UplinkFeed.ts';

const jobs = {
  begin: 'watch',
  end: 'unwatch',
  news: 'job',
  asked: ({ job }: ServerEvents['job']) => ({ job: job.id }),
} satisfies TopicKind;
const commands = {
  begin: 'follow',
  end: 'unfollow',
  news: 'delivery',
  asked: ({ command }: ServerEvents['delivery']) => ({ command }),
} satisfies TopicKind;
const readings = { begin: 'follow_readings', end: 'unfollow_readings', news: 'readings', asked: () => ({}) } satisfies TopicKind;

const openSocket = () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}${livePath}`, liveProtocol);

/** The connection of this page. All feeds share it. */
const connection = new LiveConnection(openSocket);
const topics = new TopicFeed(connection, [jobs, commands, readings]);
const uplinks = [new UplinkFeed(connection)];
const connections = [connection];

/** Reports the job, now and after each change, until the returned function is called. While the socket is lost, the caller polls. */
export const watchJob = (id: string, onJob: (job: Job) => void, onLost: () => void): (() => void) =>
  topics.subscribe<ServerEvents['job']>(jobs, { job: id }, { onNews: ({ job }) => onJob(job), onLost });

/** Calls back when a delivery of the command has changed, or may have. */
export const watchCommand = (id: number, onChange: () => void): (() => void) =>
  topics.subscribe(commands, { command: id }, { onNews: onChange, onRenewed: onChange });

/** Calls back when devices have reported, at most once a second, or may have. */
export const watchReadings = (onReadings: () => void): (() => void) =>
  topics.subscribe(readings, {}, { onNews: onReadings, onRenewed: onReadings });

/** The reports of devices, from now on. The server limits the devices of one connection; more of them get another one. */
export function watchUplinks(request: UplinkRequest, listener: UplinkListener): () => void {
  let feed = uplinks.find((one) => one.hasRoomFor(request));
  if (!feed) {
    const another = new LiveConnection(openSocket);
    connections.push(another);
    feed = new UplinkFeed(another);
    uplinks.push(feed);
  }
  return feed.subscribe(request, listener);
}

/** A job has changed without a report: the socket may be cut off. */
export const probeLive = (): void => connection.probe();

const comeBack = () => {
  for (const one of connections) one.comeBack();
};
onSessionExpiry(() => !isSessionExpired() && comeBack());
for (const event of ['online', 'focus']) globalThis.addEventListener?.(event, comeBack);
