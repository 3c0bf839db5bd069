import type { z } from 'zod';
import type { Ctx } from '../context.ts';

/** server-behaviour 23.5; each has its own place in the job screens. */
export const queues = ['queries', 'scheduled_queries', 'schemas', 'emails', 'default', 'periodic'] as const;
export type Queue = (typeof queues)[number];

export interface JobRun extends Ctx {
  job_id: string;
  /** Aborted when somebody cancels the job, its time is up or the process stops. */
  signal: AbortSignal;
}

/** A job is data: a name, a checked payload and what to do with it. */
export interface JobDefinition<P = unknown> {
  name: string;
  queue: Queue;
  payload: z.ZodType<P>;
  /** How often it is tried again after an error. */
  retries: number;
  /** What becomes of it when the process that ran it is killed. */
  onLost: 'fail' | 'retry';
  timeLimitMs: number;
  run(ctx: JobRun, payload: P): Promise<unknown>;
}

type Options<P> = Pick<JobDefinition<P>, 'name' | 'queue' | 'payload' | 'run'> & Partial<JobDefinition<P>>;

export const defineJob = <P>(options: Options<P>): JobDefinition<P> => ({
  retries: 0,
  onLost: 'fail',
  timeLimitMs: 10 * 60_000,
  ...options,
});

export interface EnqueueOptions {
  user_id?: number | null;
  /** What the job screens show beside the job: query_id, data_source_id, scheduled … */
  meta?: Record<string, unknown>;
  runAt?: Date;
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
