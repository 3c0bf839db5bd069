import type { Logger } from '../log.ts';
import { Rounds } from '../rounds.ts';
import type { JobDefinition, Queue } from './define.ts';
import type { RunningJobs } from './running.ts';

/**
 * The places of a process. Queries wait for external databases, so they never take the places of mails and upkeep. Scheduled runs never
 * take all places of the runs that people wait for, nor do slow schemas.
 */
const plans: { queues: Queue[]; places: number }[] = [
  { queues: ['queries'], places: 8 },
  { queues: ['scheduled_queries'], places: 4 },
  { queues: ['schemas'], places: 3 },
  // Targets that do not answer hold up only other notices.
  { queues: ['notices'], places: 8 },
  { queues: ['emails', 'default', 'periodic'], places: 4 },
];

/** Further announced jobs wait until a look finds them; jobs that wait for a place in a lane do not count. */
const directAtOnce = 500;

/** Jobs of some kinds and the places for them. */
export class Crew {
  readonly jobs: ReadonlyMap<string, JobDefinition>;
  readonly queues: string[];
  readonly #places: number;
  readonly #running: RunningJobs;
  readonly #log: Logger;
  readonly #runs = new Set<Promise<void>>();
  readonly #looks = new Rounds(() => this.#takeDue());
  #isStopping = false;

  constructor(jobs: JobDefinition[], places: number, running: RunningJobs, log: Logger) {
    this.jobs = new Map(jobs.map((job) => [job.name, job]));
    this.queues = [...new Set(jobs.map((job) => job.queue))];
    this.#places = places;
    this.#running = running;
    this.#log = log;
  }

  get hasPlace(): boolean {
    return !this.#isStopping && this.#runs.size < this.#places;
  }

  /** Looks for due jobs, and again whenever one that was found has ended. */
  look(): void {
    this.#looks.request();
  }

  /** Keeps a place for the run until it has ended. */
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
    await this.#looks.settled();
    await Promise.all(this.#runs);
  }

  async #takeDue(): Promise<void> {
    if (!this.hasPlace) return;
    try {
      const taken = await this.#running.takeDue(this.jobs, this.queues, this.#places - this.#runs.size);
      for (const run of taken) this.keep(run, () => this.look());
      // A claim takes only one job of each lane.
      if (taken.length > 0) this.look();
    } catch (error) {
      this.#log.warn({ err: (error as Error).message }, 'could not look for jobs');
    }
  }
}

/** Direct jobs have a crew of their own: somebody waits for them. */
export function makeCrews(definitions: JobDefinition[], running: RunningJobs, log: Logger): { direct: Crew; crews: Crew[] } {
  const crewOf = (places: number, takes: (job: JobDefinition) => boolean) => new Crew(definitions.filter(takes), places, running, log);
  const direct = crewOf(directAtOnce, (job) => job.isDirect);
  const others = plans.map(({ queues, places }) => crewOf(places, (job) => !job.isDirect && queues.includes(job.queue)));
  return { direct, crews: [direct, ...others].filter(({ jobs }) => jobs.size > 0) };
}
