import { CoalescedTask } from '../coalesced-task.ts';
import type { Logger } from '../log.ts';
import type { JobDefinition, Queue } from './define.ts';
import type { RunningJobs } from './running.ts';

/**
 * The slots of a process. Queries wait for external databases, so they never take the slots of mails and upkeep. Scheduled runs never
 * take all slots of the runs that people wait for, nor do slow schemas.
 */
const plans: { queues: Queue[]; slots: number }[] = [
  { queues: ['queries'], slots: 8 },
  { queues: ['scheduled_queries'], slots: 4 },
  { queues: ['schemas'], slots: 3 },
  // Targets that do not answer hold up only other notices.
  { queues: ['notices'], slots: 8 },
  { queues: ['emails', 'default', 'periodic'], slots: 4 },
];

/** Further announced jobs wait until a poll finds them; jobs that wait for a slot in a lane do not count. */
const directAtOnce = 500;

/** Jobs of some kinds and the slots for them. */
export class JobPool {
  readonly jobs: ReadonlyMap<string, JobDefinition>;
  readonly queues: string[];
  readonly #slots: number;
  readonly #running: RunningJobs;
  readonly #log: Logger;
  readonly #runs = new Set<Promise<void>>();
  readonly #polls = new CoalescedTask(() => this.#takeDue());
  #isStopping = false;

  constructor(jobs: JobDefinition[], slots: number, running: RunningJobs, log: Logger) {
    this.jobs = new Map(jobs.map((job) => [job.name, job]));
    this.queues = [...new Set(jobs.map((job) => job.queue))];
    this.#slots = slots;
    this.#running = running;
    this.#log = log;
  }

  get hasSlot(): boolean {
    return !this.#isStopping && this.#runs.size < this.#slots;
  }

  /** Looks for due jobs, and again whenever one that was found has ended. */
  poll(): void {
    this.#polls.request();
  }

  /** Keeps a slot for the run until it has ended. */
  keep(run: Promise<void>, onEnd?: () => void): void {
    const ended = run
      .catch((error: Error) => this.#log.warn({ err: error.message }, 'a job could not be started or ended'))
      .finally(() => {
        this.#runs.delete(ended);
        onEnd?.();
      });
    this.#runs.add(ended);
  }

  /** Takes nothing more, and resolves when the running jobs have ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#polls.settled();
    await Promise.all(this.#runs);
  }

  async #takeDue(): Promise<void> {
    if (!this.hasSlot) return;
    try {
      const taken = await this.#running.takeDue(this.jobs, this.queues, this.#slots - this.#runs.size);
      for (const run of taken) this.keep(run, () => this.poll());
      // A claim takes only one job of each lane.
      if (taken.length > 0) this.poll();
    } catch (error) {
      this.#log.warn({ err: (error as Error).message }, 'could not poll for jobs');
    }
  }
}

/** Direct jobs have a pool of their own: somebody waits for them. */
export function makePools(definitions: JobDefinition[], running: RunningJobs, log: Logger): { direct: JobPool; pools: JobPool[] } {
  const poolOf = (slots: number, takes: (job: JobDefinition) => boolean) => new JobPool(definitions.filter(takes), slots, running, log);
  const direct = poolOf(directAtOnce, (job) => job.isDirect);
  const others = plans.map(({ queues, slots }) => poolOf(slots, (job) => !job.isDirect && queues.includes(job.queue)));
  return { direct, pools: [direct, ...others].filter(({ jobs }) => jobs.size > 0) };
}
