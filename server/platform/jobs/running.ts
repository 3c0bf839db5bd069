import { nobody } from '@telltale/domain/access/identity.ts';
import { sql } from 'kysely';
import { createCtx, type Services } from '../context.ts';
import { AppError } from '../errors.ts';
import type { ProcessEntry } from '../process-registry.ts';
import { type JobDefinition, JobError, type JobRun } from './define.ts';
import { cancelledMessage } from './queue.ts';

type StopReason = 'cancelled' | 'time' | 'stopping';

/** How long a job may take to obey before it is ended without it. */
const obeyWithinMs = 5000;

/** The jobs this process is running, so that they can be stopped from outside. */
export class RunningJobs {
  readonly #jobs = new Map<string, { definition: JobDefinition; controller: AbortController }>();
  readonly #services: Services;
  readonly #entry: ProcessEntry;

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
    for (const id of this.ids) this.stop(id, 'stopping');
  }

  /** Somebody asked for a cancellation: the rows say of which. */
  async obeyCancellations(): Promise<void> {
    if (this.#jobs.size === 0) return;
    const { rows } = await sql<{ id: string }>`
      select id from jobs where id = any(${this.ids}::uuid[]) and cancel_requested`.execute(this.#services.db);
    for (const { id } of rows) this.stop(id, 'cancelled');
  }

  /** Runs one job to exactly one end. Throws only to have graphile-worker bring it again later. */
  async run(definition: JobDefinition, id: string): Promise<void> {
    const claimed = await this.#claim(id);
    if (!claimed) return;
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort('time'), definition.timeLimitMs);
    this.#jobs.set(id, { definition, controller });
    this.#report(id, definition);
    const startedAt = performance.now();
    try {
      const payload = definition.payload.parse(claimed.payload);
      const ctx = createCtx(this.#services, nobody);
      const run = Object.assign(ctx, { job_id: id, signal: controller.signal }) as JobRun;
      const result = await Promise.race([definition.run(run, payload), disobedience(controller.signal)]);
      await this.#finish(id, 3, null, result);
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

  async #claim(id: string) {
    const { rows } = await sql<{ payload: unknown; attempts: number; max_attempts: number }>`
      update jobs set status = 2, attempts = attempts + 1, process_id = ${this.#entry.id}, started_at = now()
      where id = ${id} and status = 1
      returning payload, attempts, max_attempts`.execute(this.#services.db);
    return rows[0];
  }

  /** Only the process that holds the job may end it: a late answer from one that was given up changes nothing. */
  async #finish(id: string, status: 1 | 3 | 4, error: unknown, result: unknown): Promise<void> {
    await sql`
      update jobs set status = ${status}, error = ${error === null ? null : JSON.stringify(error)}::jsonb,
        result = ${result === undefined ? null : JSON.stringify(result)}::jsonb,
        finished_at = case when ${status} = 1 then null else now() end
      where id = ${id} and status = 2 and process_id = ${this.#entry.id}`.execute(this.#services.db);
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
      await sql`update jobs set attempts = attempts - 1 where id = ${id}`.execute(this.#services.db);
      await this.#finish(id, 1, null, undefined);
      throw new Error('handed back because the process stops');
    }
    const told = reason ? stopMessages[reason] : toldError(error);
    this.#entry.report.failed_jobs++;
    if (!reason && !(error instanceof JobError)) {
      this.#services.log.error({ err: error, job: id, name: definition.name }, 'a job failed');
    }
    if (!reason && claimed.attempts < claimed.max_attempts) {
      await this.#finish(id, 1, told, undefined);
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

function toldError(error: unknown): unknown {
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
