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

interface Crew {
  queues: Queue[];
  /** The jobs that it can run, by name. */
  jobs: Map<string, JobDefinition>;
  free: number;
  /** Whether the last look left due jobs behind: then the next free place is a reason to look. */
  leftSome: boolean;
}

/** Take due jobs from their queues, each crew as many as it has free places. */
export class Crews {
  readonly #crews: Crew[] = [];
  readonly #running: RunningJobs;
  readonly #log: Logger;
  readonly #lookers = new Set<Crew>();
  /** Claims follow one another, so that each of them knows what the one before it has started. */
  readonly #looks = new Rounds(() => this.#lookAll());
  readonly #runs = new Set<Promise<void>>();
  #isStopping = false;

  constructor(definitions: JobDefinition[], running: RunningJobs, log: Logger) {
    for (const { queues, places } of plans) {
      const jobs = new Map(definitions.filter((job) => queues.includes(job.queue)).map((job) => [job.name, job]));
      if (jobs.size > 0) this.#crews.push({ queues, jobs, free: places, leftSome: false });
    }
    this.#running = running;
    this.#log = log;
  }

  look(): void {
    this.#request(this.#crews);
  }

  /** Somebody queued a job there. */
  lookIn(queue: string): void {
    this.#request(this.#crews.filter(({ queues }) => queues.some((name) => name === queue)));
  }

  /** A lane that was full has a place. */
  lookInLanes(): void {
    this.#request(this.#crews.filter(({ jobs }) => [...jobs.values()].some((job) => job.lanes)));
  }

  /** Takes nothing more, and resolves when the running jobs have ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#looks.settled();
    await Promise.all(this.#runs);
  }

  #request(crews: Crew[]): void {
    for (const crew of crews) this.#lookers.add(crew);
    this.#looks.request();
  }

  async #lookAll(): Promise<void> {
    const lookers = [...this.#lookers];
    this.#lookers.clear();
    for (const crew of lookers) {
      await this.#look(crew).catch((error: Error) => this.#log.warn({ err: error.message }, 'could not look for jobs'));
    }
  }

  async #look(crew: Crew): Promise<void> {
    if (this.#isStopping) return;
    crew.leftSome = true;
    if (crew.free === 0) return;
    const { runs, mayBeMore } = await this.#running.takeDue(crew.jobs, crew.queues, crew.free);
    for (const run of runs) this.#keep(crew, run);
    crew.leftSome = mayBeMore;
    if (mayBeMore && crew.free > 0) this.#request([crew]);
  }

  #keep(crew: Crew, run: Promise<void>): void {
    crew.free--;
    const ended = run
      .catch((error: Error) => this.#log.warn({ err: error.message }, 'a job could not be ended'))
      .finally(() => {
        this.#runs.delete(ended);
        crew.free++;
        if (crew.leftSome) this.#request([crew]);
      });
    this.#runs.add(ended);
  }
}
