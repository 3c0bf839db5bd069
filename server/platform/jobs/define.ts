import type { z } from 'zod';
import type { Ctx } from '../context.ts';

/** server-behaviour 23.5; each has its own place in the job screens. */
export const queues = ['queries', 'scheduled_queries', 'schemas', 'emails', 'default', 'periodic'] as const;
export type Queue = (typeof queues)[number];

export interface JobRun extends Ctx {
  job_id: string;
  /** Aborted when somebody cancels the job, its time is up or the process stops. */
  signal: AbortSignal;
  /** Does what belongs in a lane of another kind or payload, when it has a place there. */
  inLane<T>(lane: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** A job is data: a name, a checked payload and how it behaves. Whoever queues one needs no more than this. */
export interface JobKind<P = unknown> {
  name: string;
  queue: Queue;
  /** What graphile-worker knows it by when the same work stands in several queues; otherwise its name. */
  task?: string;
  payload: z.ZodType<P>;
  /** How often it is tried again after an error. */
  retries: number;
  /** What becomes of it when the process that ran it is killed. */
  onLost: 'fail' | 'retry';
  timeLimitMs: number;
  /**
   * Somebody waits for it: a worker starts it when it hears of it, without the queue's own way, which takes some
   * milliseconds more; the reaper puts it there in case nobody heard. Only for kinds that never run again.
   */
  isDirect: boolean;
  /** Jobs of one lane (laneName()) take only so many places of a process: the others wait in the queue, not in the way of other lanes. */
  lanes?(payload: P): string[];
}

export const taskOf = ({ task, name }: Pick<JobKind, 'task' | 'name'>): string => task ?? name;

/** What a worker does with one. */
export interface JobDefinition<P = unknown> extends JobKind<P> {
  run(ctx: JobRun, payload: P): Promise<unknown>;
}

/** What a run returns whose last statement has ended its job already (`closing`). */
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
  /** For who wants to know it beforehand; a job that joins another one has that one's. */
  id?: string;
  user_id?: number | null;
  /** What the job screens show beside the job: query_id, data_source_id, scheduled … */
  meta?: Record<string, unknown>;
  runAt?: Date;
  /** While a job with this key waits or runs, another one joins it instead. */
  dedupeKey?: string;
  /** Who asks, for a job that several may share. */
  member?: string;
  /** What whoever joins wants of its outcome, beside what the first one's payload says; its run reads them all (`closing`). */
  wish?: unknown;
}

/** An error whose text may be shown to whoever asked for the job. */
export class JobError extends Error {
  override name = 'JobError';
  readonly details: Record<string, unknown> | undefined;
  constructor(message: string, details?: Record<string, unknown>) {
    super(message);
    this.details = details;
  }
}
