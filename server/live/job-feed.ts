import { clientEvents } from '@telltale/domain/live/contract.ts';
import { jobAnswer, memberOf, readJob } from '../jobs/jobs.ts';
import { createCtx, type Services } from '../platform/context.ts';
import { tooMany } from '../platform/errors.ts';
import { findJob, listLeavers } from '../platform/jobs/queue.ts';
import { type Feed, liveEvent } from './feed.ts';
import type { LiveSocket } from './live-socket.ts';

const mostJobsPerSocket = 200;

/** design 4: pushes the state of jobs; polling still works. */
export function jobFeed(services: Services): Feed {
  const { db, jobWatch, log } = services;
  /** The watching sockets by job, each with the last state it was sent. */
  const watched = new Map<string, Map<LiveSocket, string>>();
  const jobsOf = new WeakMap<LiveSocket, Set<string>>();
  const reading = new Map<string, { isStale: boolean }>();

  const forget = (id: string, socket: LiveSocket) => {
    jobsOf.get(socket)?.delete(id);
    const watchers = watched.get(id);
    watchers?.delete(socket);
    if (watchers?.size === 0) watched.delete(id);
  };

  /** Reads a job once for all its watchers. A change during the read starts another read, so that no watcher keeps an old state. */
  const tell = async (id: string): Promise<void> => {
    const underWay = reading.get(id);
    if (underWay) {
      underWay.isStale = true;
      return;
    }
    const look = { isStale: true };
    reading.set(id, look);
    try {
      while (look.isStale && watched.has(id)) {
        look.isStale = false;
        await tellOnce(id);
      }
    } finally {
      reading.delete(id);
    }
  };

  const tellOnce = async (id: string) => {
    const [row, leavers] = await Promise.all([findJob(db, id), listLeavers(db, id)]);
    for (const [socket, last] of [...(watched.get(id) ?? [])]) {
      if (!row) {
        socket.send('error', { code: 'not_found', message: 'Job not found.', event: 'watch', asked: { job: id } });
        forget(id, socket);
        continue;
      }
      const job = jobAnswer(row, leavers.includes(memberOf(socket.identity)));
      const text = JSON.stringify(job);
      if (text !== last && !socket.send('job', { job })) continue;
      if (job.status >= 3) forget(id, socket);
      else watched.get(id)?.set(socket, text);
    }
  };

  const tellLater = (id: string) =>
    void tell(id).catch((error: Error) => log.warn({ err: error.message, job: id }, 'a job could not be shown live'));

  const stopListening = jobWatch?.onChange((id) => {
    for (const each of id === undefined ? watched.keys() : [id]) if (watched.has(each)) tellLater(each);
  });

  return {
    events: {
      watch: liveEvent(clientEvents.watch, async (socket, { job: id }) => {
        const jobs = jobsOf.get(socket) ?? new Set();
        if (jobs.size >= mostJobsPerSocket && !jobs.has(id)) throw tooMany('Too many jobs are watched on this connection.');
        // W8: a job does not exist for callers who neither queued nor joined it.
        await readJob(createCtx(services, socket.identity), id);
        if (!socket.isOpen) return;
        jobsOf.set(socket, jobs.add(id));
        const watchers = watched.get(id) ?? new Map<LiveSocket, string>();
        watched.set(id, watchers.set(socket, ''));
        await tell(id);
      }),
      unwatch: liveEvent(clientEvents.unwatch, async (socket, { job: id }) => forget(id, socket)),
    },
    async refresh(socket) {
      for (const id of [...(jobsOf.get(socket) ?? [])]) await tell(id);
    },
    leave(socket) {
      for (const id of [...(jobsOf.get(socket) ?? [])]) forget(id, socket);
    },
    stop: () => stopListening?.(),
  };
}
