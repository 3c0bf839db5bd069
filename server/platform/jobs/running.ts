import { setTimeout as delay } from 'node:timers/promises';
import { nobody } from '@telltale/domain/access/identity.ts';
import { type RawBuilder, sql } from 'kysely';
import { createCtx, type Services } from '../context.ts';
import type { Columns } from '../database.ts';
import { AppError, fromDatabaseError } from '../errors.ts';
import type { ProcessEntry } from '../process-registry.ts';
import { type Claimed, claimDue, claimOne, disownUnknown } from './claims.ts';
import { hasEnded, type JobDefinition, JobError, type JobRun } from './define.ts';
import { Lanes } from './lanes.ts';
import { cancelledMessage, jobChannel } from './queue.ts';

type StopReason = 'cancelled' | 'time' | 'stopping';

/** The time that an aborted job has to end by itself. */
const abortGraceMs = 5000;

/** The jobs this process is running, so that they can be stopped from outside. */
export class RunningJobs {
  readonly #jobs = new Map<string, { definition: JobDefinition; controller: AbortController }>();
  readonly lanes = new Lanes();
  readonly #services: Services;
  readonly #entry: ProcessEntry;
  readonly #claims = new Set<Promise<unknown>>();
  #comparedAt: string | null = null;
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
  async applyCancellations(): Promise<void> {
    // Until a claim is answered, its jobs can be cancelled and this process does not know that it has them.
    await Promise.all(this.#claims);
    if (this.#jobs.size === 0) return;
    const { rows } = await sql<Columns<'jobs', 'id'>>`
      select id from jobs where id = any(${this.ids}::uuid[]) and cancel_requested`.execute(this.#services.db);
    for (const { id } of rows) this.stop(id, 'cancelled');
  }

  /** Runs an announced job, if it still waits and has a slot in its lanes. */
  async run(definition: JobDefinition, id: string, lanes: readonly string[] = []): Promise<void> {
    if (this.#jobs.has(id) || !this.lanes.enter(lanes)) return;
    // The job is registered before it is claimed, so that no cancellation is missed.
    const controller = new AbortController();
    this.#jobs.set(id, { definition, controller });
    try {
      const [claimed] = await claimOne(this.#services.db, this.#entry.id, id);
      if (claimed) await this.#run(definition, claimed, controller);
    } finally {
      this.#forget(id, controller);
      this.lanes.leave(lanes);
    }
  }

  /** Claims due jobs and starts them. */
  takeDue(definitions: ReadonlyMap<string, JobDefinition>, queues: string[], slots: number): Promise<Promise<void>[]> {
    const wanted = { queues, names: [...definitions.keys()], slots, fullLanes: this.lanes.full, except: this.ids };
    const runs = claimDue(this.#services.db, this.#entry.id, wanted).then((jobs) =>
      jobs.flatMap((claimed) => {
        const definition = definitions.get(claimed.name);
        return definition ? this.#start(definition, claimed) : [];
      }),
    );
    const answered: Promise<unknown> = runs.catch(() => {}).finally(() => this.#claims.delete(answered));
    this.#claims.add(answered);
    return runs;
  }

  async #start(definition: JobDefinition, claimed: Claimed): Promise<void> {
    const controller = new AbortController();
    const hasSlot = this.lanes.enter(claimed.lanes);
    try {
      if (hasSlot && !this.#isStopping) await this.#run(definition, claimed, controller);
      // Another job took the slot while this one was claimed, or the process stops.
      else await this.#requeue(claimed.id, null, false);
    } finally {
      this.#forget(claimed.id, controller);
      if (hasSlot) this.lanes.leave(claimed.lanes);
    }
  }

  /** A job that was announced and found at the same moment is registered by the run that claimed it. */
  #forget(id: string, controller: AbortController): void {
    if (this.#jobs.get(id)?.controller === controller) this.#jobs.delete(id);
    this.#report();
  }

  /** Runs a claimed job to exactly one end. */
  async #run(definition: JobDefinition, claimed: Claimed, controller: AbortController): Promise<void> {
    const { id } = claimed;
    this.#jobs.set(id, { definition, controller });
    const timer = setTimeout(() => controller.abort('time'), definition.timeLimitMs);
    this.#report(id, definition);
    const startedAt = performance.now();
    try {
      const payload = definition.payload.parse(claimed.payload);
      const inLane: JobRun['inLane'] = (lane, signal, work) => this.lanes.through(lane, signal, work);
      const ctx: JobRun = createCtx(this.#services, nobody, undefined, { job_id: id, signal: controller.signal, inLane });
      const result = await Promise.race([definition.run(ctx, payload), rejectAfterAbort(controller.signal)]);
      if (result !== hasEnded) await this.#finish(id, 3, null, result);
      this.#entry.report.successful_jobs++;
    } catch (error) {
      await this.#fail(definition, claimed, error, controller.signal);
    } finally {
      clearTimeout(timer);
      this.#entry.report.working_ms += performance.now() - startedAt;
    }
  }

  /** Finds jobs that this process holds by their rows, and does not run (`disownUnknown`). */
  async disownUnknown(): Promise<void> {
    await Promise.all(this.#claims);
    this.#comparedAt = await disownUnknown(this.#services.db, this.#entry.id, this.ids, this.#comparedAt);
  }

  #finish(id: string, status: 3 | 4, error: unknown, result: unknown): Promise<void> {
    return this.#write(
      id,
      sql`status = ${status}, error = ${jsonOf(error)}::jsonb, result = ${jsonOf(result)}::jsonb, finished_at = now()`,
    );
  }

  /**
   * Puts the job back in the queue, unless it was cancelled meanwhile. After a failed attempt it waits, each time longer: 3 s, 7 s, 20 s,
   * 55 s … 6 h; a stop by us does not count as an attempt.
   */
  #requeue(id: string, error: unknown, isAttempt: boolean): Promise<void> {
    const timing = isAttempt
      ? sql`run_at = greatest(now(), run_at) + exp(least(attempts, 10)) * interval '1 second'`
      : sql`attempts = attempts - 1`;
    return this.#write(
      id,
      sql`status = case when cancel_requested then 4 else 1 end, ${timing},
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

  async #fail(definition: JobDefinition, { id, attempts, max_attempts }: Claimed, error: unknown, signal: AbortSignal): Promise<void> {
    const reason = signal.aborted ? (signal.reason as StopReason) : undefined;
    if (reason === 'stopping' && definition.onLost === 'retry') return this.#requeue(id, null, false);
    const message = reason ? stopMessages[reason] : errorForReader(error);
    this.#entry.report.failed_jobs++;
    if (!reason && !(error instanceof JobError)) {
      this.#services.log.error({ err: error, job: id, name: definition.name }, 'a job failed');
    }
    if (!reason && attempts < max_attempts) await this.#requeue(id, message, true);
    else await this.#finish(id, 4, message, undefined);
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
function rejectAfterAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = () => setTimeout(() => reject(new Error('the job did not stop when told')), abortGraceMs).unref();
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
}
