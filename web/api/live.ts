import type { Job } from '@telltale/domain/jobs/contract.ts';
import { livePath, liveProtocol, type ServerEvents } from '@telltale/domain/live/contract.ts';

interface Watcher {
  onJob: (job: Job) => void;
  /** The socket says nothing more about it: ask by other means. */
  onLost: () => void;
}

const watchers = new Map<string, Set<Watcher>>();
const idleMs = 30_000;
const pauseAfterFailureMs = 10_000;
let socket: WebSocket | null = null;
let lastFailureAt = Number.NEGATIVE_INFINITY;
let idleTimer: ReturnType<typeof setTimeout> | undefined;

/** The job as the server tells it, until one stops watching. One socket serves everybody; it closes when nobody needs it. */
export function watchJob(id: string, onJob: Watcher['onJob'], onLost: Watcher['onLost']): () => void {
  const watcher: Watcher = { onJob, onLost };
  const open = connect();
  if (!open) {
    onLost();
    return () => {};
  }
  const group = watchers.get(id) ?? new Set();
  watchers.set(id, group.add(watcher));
  if (open.readyState === WebSocket.OPEN) tell(open, 'watch', id);
  return () => {
    group.delete(watcher);
    if (group.size > 0 || watchers.get(id) !== group) return;
    watchers.delete(id);
    if (socket?.readyState === WebSocket.OPEN) tell(socket, 'unwatch', id);
    if (watchers.size === 0) closeWhenIdle();
  };
}

function connect(): WebSocket | null {
  clearTimeout(idleTimer);
  if (socket) return socket;
  if (performance.now() - lastFailureAt < pauseAfterFailureMs) return null;
  const next = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${livePath}`, liveProtocol);
  next.onopen = () => {
    for (const id of watchers.keys()) tell(next, 'watch', id);
  };
  next.onmessage = ({ data }) => receive(String(data));
  next.onclose = () => {
    if (socket === next) socket = null;
    lastFailureAt = performance.now();
    loseAll();
  };
  socket = next;
  return next;
}

function receive(text: string): void {
  const frame = readFrame(text);
  if (frame?.event === 'job') {
    const { job } = frame.data as ServerEvents['job'];
    for (const { onJob } of [...(watchers.get(job.id) ?? [])]) onJob(job);
  }
  if (frame?.event === 'error') {
    const { asked } = frame.data as ServerEvents['error'];
    const id = String(asked?.job ?? '');
    for (const { onLost } of [...(watchers.get(id) ?? [])]) onLost();
  }
}

function readFrame(text: string): { event: string; data: unknown } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function loseAll(): void {
  const lost = [...watchers.values()].flatMap((group) => [...group]);
  watchers.clear();
  for (const { onLost } of lost) onLost();
}

/** The socket has missed something, so it is not believed any more: everybody asks, and the next to watch opens another one. */
export function hangUp(): void {
  const silent = socket;
  if (!silent) return;
  socket = null;
  silent.onclose = null;
  silent.close();
  loseAll();
}

const tell = (to: WebSocket, event: string, job: string): void => to.send(JSON.stringify({ event, data: { job } }));

function closeWhenIdle(): void {
  clearTimeout(idleTimer);
  idleTimer = setTimeout(() => {
    if (watchers.size > 0 || !socket) return;
    const idle = socket;
    socket = null;
    idle.onclose = null;
    idle.close();
  }, idleMs);
}
