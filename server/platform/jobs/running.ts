import { setTimeout as delay } from 'node:timers/promises';
import { nobody } from '@telltale/domain/access/identity.ts';
import { type RawBuilder, sql } from 'kysely';
import { createCtx, type Services } from '../context.ts';
import { type Columns, type Effects, lazily } from '../database.ts';
import { AppError, fromDatabaseError } from '../errors.ts';
import type { ProcessEntry } from '../process-registry.ts';
import { hasEnded, type JobDefinition, JobError, type JobRun, taskOf } from './define.ts';
import { Lanes } from './lanes.ts';
import { cancelledMessage, jobChannel, postponeJob, startChannel } from './queue.ts';

type StopReason = 'cancelled' | 'time' | 'stopping';

/** The time that an aborted job has to end by itself. */
const obeyWithinMs = 5000;

/** The jobs this process is running, so that they can be stopped from outside. */
export class RunningJobs {
  readonly #jobs = new Map<string, { definition: JobDefinition; controller: AbortController }>();
  readonly lanes = new Lanes();
  readonly #services: Services;
  readonly #entry: ProcessEntry;
  #isStopping = false;

  constructor(services: Services, entry: ProcessEntry) {
    this.#services = services;
    this.#entry = entry;
  }

  get ids(): string[] {
    return [...this.#jobs.keys()];
  }

  stop(id: string, reason: StopReason): void {
    this.#jobs.get(id)?.controller.abort(reason);
  }

  stopAll(): void {
    this.#isStopping = true;
    for (const id of this.ids) this.stop(id, 'stopping');
  }

  /** Stops the running jobs whose rows have a cancellation request. */
  async obeyCancellations(): Promise<void> {
    if (this.#jobs.size === 0) return;
    const { rows } = await sql<Columns<'jobs', 'id'>>`
      select id from jobs where id = any(${this.ids}::uuid[]) and cancel_requested`.execute(this.#services.db);
    for (const { id } of rows) this.stop(id, 'cancelled');
  }

  /** Runs one job to exactly one end. Throws only to have graphile-worker bring it again later. */
  async run(definition: JobDefinition, id: string, lanes: readonly string[] = []): Promise<void> {
    if (this.#jobs.has(id)) {
      if (definition.onLost === 'fail' && definition.retries === 0) return;
      throw new Error('an earlier run of this job has not ended yet');
    }
    if (!this.lanes.enter(lanes)) {
      await postponeJob(this.#services.db, taskOf(definition), id, lanes);
      return;
    }
    try {
      await this.#run(definition, id);
    } finally {
      this.lanes.leave(lanes);
    }
  }

  async #run(definition: JobDefinition, id: string): Promise<void> {
    const controller = new AbortController();
    // The job is registered before it is claimed, so that no cancellation is missed.
    this.#jobs.set(id, { definition, controller });
    const claimed = await this.#claim(id).catch((error: unknown) => {
      this.#jobs.delete(id);
      throw error;
    });
    if (!claimed) return void this.#jobs.delete(id);
    const timer = setTimeout(() => controller.abort('time'), definition.timeLimitMs);
    this.#report(id, definition);
    const startedAt = performance.now();
    try {
      const payload = definition.payload.parse(claimed.payload);
      const inLane: JobRun['inLane'] = (lane, signal, work) => this.lanes.through(lane, signal, work);
      const ctx: JobRun = createCtx(this.#services, nobody, undefined, { job_id: id, signal: controller.signal, inLane });
      const result = await Promise.race([definition.run(ctx, payload), disobedience(controller.signal)]);
      if (result !== hasEnded) await this.#finish(id, 3, null, result);
      this.#entry.report.successful_jobs++;
    } catch (error) {
      await this.#fail(definition, id, claimed, error, controller.signal);
    } finally {
      clearTimeout(timer);
      this.#jobs.delete(id);
      this.#entry.report.working_ms += performance.now() - startedAt;
      this.#report();
    }
  }

  /** A claim need not be durable: if the database loses it, the job waits again, and this process cannot end it any more. */
  async #claim(id: string) {
    const { rows } = await sql<{ payload: unknown; attempts: number; max_attempts: number } & Effects>`
      with claimed as (
        update jobs set status = 2, attempts = attempts + 1, process_id = ${this.#entry.id}, started_at = now()
        where id = ${id} and status = 1
        returning payload, attempts, max_attempts)
      select claimed.*, pg_notify(${startChannel}, ${id}), ${lazily(this.#services.db)} as disk from claimed`.execute(this.#services.db);
    return rows[0];
  }

  #finish(id: string, status: 3 | 4, error: unknown, result: unknown): Promise<void> {
    return this.#write(
      id,
      sql`status = ${status}, error = ${jsonOf(error)}::jsonb, result = ${jsonOf(result)}::jsonb, finished_at = now()`,
    );
  }

  /** Puts the job back in the queue, unless it was cancelled meanwhile; a stop by us does not count as an attempt. */
  #giveBack(id: string, error: unknown, counts: boolean): Promise<void> {
    return this.#write(
      id,
      sql`status = case when cancel_requested then 4 else 1 end, attempts = attempts - ${counts ? 0 : 1},
        error = case when cancel_requested then to_jsonb(${cancelledMessage}::text) else ${jsonOf(error)}::jsonb end,
        finished_at = case when cancel_requested then now() end`,
    );
  }

  /**
   * Only the process that holds the job may end it: a late answer from a process that was given up changes nothing. An unreachable database
   * is waited for, or the job would be "processing" for ever.
   */
  async #write(id: string, changes: RawBuilder<unknown>): Promise<void> {
    const update = sql`
      with ended as (update jobs set ${changes} where id = ${id} and status = 2 and process_id = ${this.#entry.id} returning id)
      select pg_notify(${jobChannel}, id::text) from ended`;
    for (let waitMs = 100; ; waitMs = Math.min(2 * waitMs, 2000)) {
      try {
        await update.execute(this.#services.db);
        return;
      } catch (fault) {
        if (this.#isStopping || fromDatabaseError(fault)?.status !== 503) throw fault;
        await delay(waitMs);
      }
    }
  }

  async #fail(
    definition: JobDefinition,
    id: string,
    claimed: { attempts: number; max_attempts: number },
    error: unknown,
    signal: AbortSignal,
  ) {
    const reason = signal.aborted ? (signal.reason as StopReason) : undefined;
    if (reason === 'stopping' && definition.onLost === 'retry') {
      await this.#giveBack(id, null, false);
      throw new Error('handed back because the process stops');
    }
    const told = reason ? stopMessages[reason] : errorForReader(error);
    this.#entry.report.failed_jobs++;
    if (!reason && !(error instanceof JobError)) {
      this.#services.log.error({ err: error, job: id, name: definition.name }, 'a job failed');
    }
    if (!reason && claimed.attempts < claimed.max_attempts) {
      await this.#giveBack(id, told, true);
      throw error;
    }
    await this.#finish(id, 4, told, undefined);
  }

  #report(id?: string, definition?: JobDefinition): void {
    const [running] = this.#jobs;
    this.#entry.report.state = this.#jobs.size > 0 ? 'busy' : 'idle';
    const shown = id && definition ? `${id} (${definition.name})` : running ? `${running[0]} (${running[1].definition.name})` : null;
    this.#entry.report.current_job = shown;
  }
}

const stopMessages: Record<StopReason, string> = {
  cancelled: cancelledMessage,
  time: 'This took longer than the time limit and was stopped.',
  stopping: 'The server was stopped while this ran. Please try again.',
};

/** JSON that the database can hold: no U+0000, no half of a surrogate pair. */
function jsonOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'string' ? item.replaceAll('\0', '\ufffd').toWellFormed() : item));
}

function errorForReader(error: unknown): unknown {
  if (error instanceof JobError) return error.details ? { message: error.message, ...error.details } : error.message;
  if (error instanceof AppError) return error.message;
  return 'This failed for an unexpected reason. The server log has the details.';
}

/** Rejects some time after the signal, in case the job does not listen to it. */
function disobedience(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = () => setTimeout(() => reject(new Error('the job did not stop when told')), obeyWithinMs).unref();
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
}
