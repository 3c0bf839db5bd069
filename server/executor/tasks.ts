import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { type Connection, type ConnectorEnv, QueryError } from '../connectors/connector.ts';
import { findConnector } from '../connectors/index.ts';
import { Sink } from '../connectors/sink.ts';
import { createOutgoingHttp } from '../platform/outgoing.ts';
import type { Chunk } from '../wire/chunk.ts';
import { ResultLimitError } from '../wire/limits.ts';
import { type Failure, type FromExecutor, pipeFd, type Source, type Task, type ToExecutor } from './protocol.ts';
import { ResultInbox } from './result-inbox.ts';
import type { Watched } from './watchdog.ts';

/**
 * One statement at a time, in a process that may be killed: whatever a query text does to memory or to an engine
 * happens here, not in the worker. Connections stay open between statements; the parent picks who gets which.
 */
const idleCloseMs = 60_000;
/** A result passes through in chunks, so a process that needs this much is out of hand. */
const largestResidentBytes = 700 * 1024 * 1024;

const send = (message: FromExecutor) => void process.send?.(message);
/** Chunks leave by it; the parent opened it beside the channel of messages. */
const pipe = new Socket({ fd: pipeFd, readable: false });
pipe.on('error', () => {}); // the worker is gone: its channel tells

let env: ConnectorEnv | undefined;
let task: AbortController | undefined;
/** Chunks on their way to the worker that it has not stored yet. */
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

/** Not by process.exit(), which waits for the threads of an engine: they may be what does not end. */
const end = () => process.kill(process.pid, 'SIGKILL');

/** The worker is gone: what runs on the database is stopped before this process goes too. */
process.on('disconnect', () => {
  task?.abort(new Error('the worker is gone'));
  setTimeout(end, 3000).unref();
  void Promise.allSettled([...connections.values()].map(({ connection }) => (task ? undefined : connection.close()))).then(
    () => !task && end(),
  );
});

setInterval(() => {
  if (process.memoryUsage.rss() < largestResidentBytes) return;
  const failure = { message: 'This query needs more memory than one query may use.', isTold: true };
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
    send({ kind: 'failed', failure: failureOf(signal.aborted ? signal.reason : error) });
  } finally {
    task = undefined;
    if (!process.connected) end();
  }
}

let watchdog: Worker | undefined;

/** While an engine blocks this process, neither the memory check above nor the loss of the worker is heard here. */
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
  const connection = await borrow(asked.source, signal);
  try {
    connection.onMark = (mark) => send({ kind: 'runsOn', mark });
    if (connection.mark) connection.onMark(connection.mark);
    if (asked.kind === 'schema') return { schema: await connection.schema(signal, asked.database) };
    if (asked.kind === 'databases') return { databases: (await connection.databases?.(signal)) ?? [] };
    if (asked.kind === 'test') {
      await connection.test(signal);
      // A server that does not tell about rights is no worse than one that has none to tell of.
      return { warning: await connection.excess?.(signal).catch(() => undefined) };
    }
    const sink = new Sink(storeChunk, { limits: asked.limits });
    try {
      await connection.run(asked.statement, sink, signal);
      return { outcome: await sink.finish() };
    } catch (error) {
      // Chunks that still wait must not arrive among those of the next statement.
      await sink.writer.abort(error);
      throw error;
    }
  } finally {
    giveBack(asked.source, connection, signal.aborted);
  }
}

const mostUnstored = 8;

/** A few chunks are on their way at a time; the writer stops reading from the source when too many wait. */
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
  try {
    const connection = await connector.open(options, env, signal);
    connections.set(key, { connection, timer: undefined });
    return connection;
  } catch (error) {
    throw error instanceof QueryError ? error : new QueryError(messageOf(error), {}, error);
  }
}

function giveBack({ key }: Source, connection: Connection, wasAborted: boolean): void {
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

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0].message;
  return error instanceof Error && error.message ? error.message : String(error);
}

const tooDeep = 'What the source answered is nested too deeply to be read.';

function failureOf(error: unknown): Failure {
  if (error instanceof QueryError) return { message: error.message, line: error.line, column: error.column, isTold: true };
  if (error instanceof ResultLimitError) return { message: error.message, isTold: true };
  if (error instanceof RangeError && error.message.includes('call stack')) return { message: tooDeep, isTold: true };
  // What a driver throws is about the source: its text is for people who may run queries there.
  return { message: messageOf(error), isTold: true };
}
