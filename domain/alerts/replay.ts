import type { AlertState } from './options.ts';
import { isNotified, newsOf } from './rearm.ts';

/** Runs an alert over past values: it sends nothing and counts everything. */
export class Rehearsal {
  readonly #rearm: number | null;
  #state: AlertState = 'unknown';
  #lastAt: Date | null = null;
  evaluations = 0;
  notifications = 0;
  readonly triggered: { at: number; value: unknown }[] = [];

  constructor(rearm: number | null) {
    this.#rearm = rearm;
  }

  get state(): AlertState {
    return this.#state;
  }

  see(at: number, after: AlertState, value: unknown): void {
    this.evaluations++;
    const now = new Date(at);
    const news = newsOf({ before: this.#state, after, rearm: this.#rearm, lastAt: this.#lastAt, now });
    if (after === 'triggered' && this.#state !== 'triggered') this.triggered.push({ at, value });
    if (isNotified(news)) this.notifications++;
    if (isNotified(news) || news === 'first_ok') this.#lastAt = now;
    this.#state = after;
  }
}
