import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { type Connection, type ConnectorEnv, QueryError } from '../connectors/connector.ts';
import { findConnector } from '../connectors/index.ts';
import { Sink } from '../connectors/sink.ts';
import { createOutgoingHttp } from '../platform/outgoing.ts';
import type { Chunk } from '../wire/chunk.ts';
import { failureOf } from './failure.ts';
import { type FromExecutor, pipeFd, type Source, type Task, type ToExecutor } from './protocol.ts';
import { ResultInbox } from './result-inbox.ts';
import type { Watched } from './watchdog.ts';

/**
 * Runs one statement at a time in a process that may be killed: whatever a query does to memory or to an engine happens here, not in the
 * worker. Connections stay open between statements; the parent assigns tasks to processes.
 */
const idleCloseMs = 60_000;
/** Results pass through in chunks, so a process that needs this much memory is out of control. */
const largestResidentBytes = 700 * 1024 * 1024;

const send = (message: FromExecutor) => void process.send?.(message);
/** The pipe for chunks, which the parent opened beside the message channel. */
const pipe = new Socket({ fd: pipeFd, readable: false });
pipe.on('error', () => {}); // the worker has ended, and the message channel reports that

let env: ConnectorEnv | undefined;
let task: AbortController | undefined;
/** The number of sent chunks that the worker has not stored yet. */
let unstored = 0;
let whenStored: (() => void) | undefined;
const inbox = new ResultInbox(send);
const connections = new Map<string, { connection: Connection; timer: NodeJS.Timeout | undefined }>();

process.on('message', (message: ToExecutor) => {
  if (message.kind === 'settings') {
    env = {
      filesFolder: message.settings.filesFolder,
      http: createOutgoingHttp({ allowPrivate: message.settings.allowPrivate }),
      results: inbox.read,
    };
  } else if (message.kind === 'task') void perform(message.task);
  else if (message.kind === 'abort') task?.abort(new QueryError('Query cancelled by user.'));
  else if (message.kind === 'stored') {
    unstored--;
    whenStored?.();
  } else inbox.receive(message);
});

/** SIGKILL rather than process.exit(), which waits for the threads of an engine that may never end. */
const end = () => process.kill(process.pid, 'SIGKILL');

/** When the worker has ended, this process first stops its statement on the database, then exits. */
process.on('disconnect', () => {
  task?.abort(new Error('the worker is gone'));
  setTimeout(end, 3000).unref();
  void Promise.allSettled([...connections.values()].map(({ connection }) => (task ? undefined : connection.close()))).then(
    () => !task && end(),
  );
});

setInterval(() => {
  if (process.memoryUsage.rss() < largestResidentBytes) return;
  const failure = { message: 'This query needs more memory than one query may use.' };
  send({ kind: 'failed', failure, isEnding: true });
  setTimeout(end, 50);
}, 200).unref();

send({ kind: 'ready' });

async function perform(asked: Task): Promise<void> {
  task = new AbortController();
  unstored = 0;
  const { signal } = task;
  try {
    send({ kind: 'done', ...(await answer(asked, signal)) });
  } catch (error) {
    const places = env ? [env.filesFolder] : [];
    send({ kind: 'failed', failure: failureOf(signal.aborted ? signal.reason : error, findConnector(asked.source.type), places) });
  } finally {
    task = undefined;
    if (!process.connected) end();
  }
}

let watchdog: Worker | undefined;

/** Starts a watchdog thread: while an engine blocks this process, it notices neither its memory use nor the loss of the worker. */
function watch(): void {
  const workerData: Watched = { parentPid: process.ppid, largestResidentBytes };
  watchdog ??= new Worker(new URL('./watchdog.ts', import.meta.url), { workerData, execArgv: [] });
  watchdog.unref();
}

async function answer(asked: Task, signal: AbortSignal): Promise<Omit<Extract<FromExecutor, { kind: 'done' }>, 'kind'>> {
  if (findConnector(asked.source.type)?.isBlocking) watch();
  if (asked.kind === 'stop') {
    await findConnector(asked.source.type)?.stop?.(asked.source.options, asked.mark, signal);
    return {};
  }
  if (asked.kind === 'stopNoted') {
    await findConnector(asked.source.type)?.stopNoted?.(asked.source.options, asked.note, signal);
    return {};
  }
  const connection = await borrow(asked.source, signal);
  try {
    connection.onMark = (mark) => send({ kind: 'runsOn', mark });
    if (connection.mark) connection.onMark(connection.mark);
    if (asked.kind === 'schema') return { schema: await connection.schema(signal, asked.database) };
    if (asked.kind === 'databases') return { databases: (await connection.databases?.(signal)) ?? [] };
    if (asked.kind === 'test') {
      await connection.test(signal);
      // A server that cannot report rights gets no warning.
      return { warning: await connection.excess?.(signal).catch(() => undefined) };
    }
    const sink = new Sink(storeChunk, { limits: asked.limits });
    try {
      await connection.run(asked.statement, sink, signal);
      return { outcome: await sink.finish() };
    } catch (error) {
      // Waiting chunks must not arrive among those of the next statement.
      await sink.writer.abort(error);
      throw error;
    }
  } finally {
    release(asked.source, connection, signal.aborted);
  }
}

const mostUnstored = 8;

/** Sends a few chunks at a time; the writer stops reading from the source when too many wait. */
async function storeChunk({ data, ...chunk }: Chunk): Promise<void> {
  unstored++;
  send({ kind: 'chunk', chunk, bytes: data.length });
  pipe.write(data);
  while (unstored >= mostUnstored) {
    await new Promise<void>((resolve) => {
      whenStored = resolve;
    });
  }
}

async function borrow({ key, type, options }: Source, signal: AbortSignal): Promise<Connection> {
  const known = connections.get(key);
  if (known) {
    clearTimeout(known.timer);
    if (!known.connection.isBroken) return known.connection;
    connections.delete(key);
  }
  const connector = findConnector(type);
  if (!connector || !env) throw new QueryError(`There is no connector of type ${type}.`);
  const connection = await connector.open(options, env, signal);
  connections.set(key, { connection, timer: undefined });
  return connection;
}

function release({ key }: Source, connection: Connection, wasAborted: boolean): void {
  if (connection.isBroken || wasAborted) {
    connections.delete(key);
    void connection.close().catch(() => {});
    return;
  }
  const timer = setTimeout(() => {
    connections.delete(key);
    void connection.close().catch(() => {});
  }, idleCloseMs);
  connections.set(key, { connection, timer: timer.unref() });
}
