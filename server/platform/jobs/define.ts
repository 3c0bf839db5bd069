import type { z } from 'zod';
import type { Ctx } from '../context.ts';

/** server-behaviour 23.5; the job screens list each queue. */
export const queues = ['queries', 'scheduled_queries', 'schemas', 'emails', 'notices', 'default', 'periodic'] as const;
export type Queue = (typeof queues)[number];

export interface JobRun extends Ctx {
  job_id: string;
  /** Aborted when the job is cancelled, its time is up or the process stops. */
  signal: AbortSignal;
  /** Runs work in a lane of another kind or payload, when it has a slot there. */
  inLane<T>(lane: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** A job as data: a name, a checked payload and its behaviour. Queueing a job needs no more than this. */
export interface JobKind<P = unknown> {
  name: string;
  queue: Queue;
  payload: z.ZodType<P>;
  /** The number of further attempts after an error. */
  retries: number;
  /** What happens to the job when its process is killed. */
  onLost: 'fail' | 'retry';
  timeLimitMs: number;
  /**
   * A caller waits for the job: a worker starts it on the notification, whether or not its queue has a free slot. A poll finds it in
   * case no worker heard. Only for kinds that never run again.
   */
  isDirect: boolean;
  /** Jobs of one lane (laneName()) take only so many slots of a process; further ones wait in the queue and do not block other lanes. */
  lanes?(payload: P): string[];
  /** When a process dies, this job is queued to end the statements that it left running in other databases. */
  afterLoss?(id: string, payload: P): Following;
}

/** One job of any kind, with its payload. */
interface Following {
  kind: JobKind;
  payload: unknown;
}

/** A job with the code that a worker runs. */
export interface JobDefinition<P = unknown> extends JobKind<P> {
  run(ctx: JobRun, payload: P): Promise<unknown>;
}

/** Returned by a run whose last statement has ended its job already (`closing`). */
export const hasEnded = Symbol('the job has ended');

type Stated<P> = Pick<JobKind<P>, 'name' | 'queue' | 'payload'> & Partial<JobKind<P>>;

export const jobKind = <P>(stated: Stated<P>): JobKind<P> => {
  const kind = { retries: 0, onLost: 'fail' as const, timeLimitMs: 10 * 60_000, isDirect: false, ...stated };
  if (kind.isDirect && (kind.retries > 0 || kind.onLost === 'retry')) throw new Error(`${kind.name} runs again, so it cannot be direct.`);
  return kind;
};

export const defineJob = <P>(stated: Stated<P> & Pick<JobDefinition<P>, 'run'>): JobDefinition<P> => ({
  ...jobKind(stated),
  run: stated.run,
});

export interface EnqueueOptions {
  /** An id chosen by the caller; a call that joins another job gets that job's id. */
  id?: string;
  user_id?: number | null;
  /** Facts that the job screens show: query_id, data_source_id, scheduled … */
  meta?: Record<string, unknown>;
  runAt?: Date;
  /** While a job with this key waits or runs, a new one joins it instead. */
  dedupeKey?: string;
  /** The caller, for a job that several callers may share. */
  member?: string;
  /** What a caller that joins the job needs from its outcome; the run reads all requests when it ends (`closing`). */
  request?: unknown;
}

/** An error whose text may be shown to the callers of the job. */
export class JobError extends Error {
  override name = 'JobError';
  readonly details: Record<string, unknown> | undefined;
  constructor(message: string, details?: Record<string, unknown>) {
    super(message);
    this.details = details;
  }
}
