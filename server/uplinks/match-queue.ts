import { setTimeout as delay } from 'node:timers/promises';
import { nobody } from '@telltale/domain/access/identity.ts';
import { CoalescedTask } from '../platform/coalesced-task.ts';
import { createCtx, type Services } from '../platform/context.ts';
import { fromDatabaseError } from '../platform/errors.ts';
import { claimMatches } from './matches.store.ts';
import type { Match, UplinkWatcher } from './watchers.ts';

export const mostAtOnce = 200;

/** An unreachable database, or a conflict with a concurrent change, is retried; any other error is permanent. */
export const isTransient = (error: unknown) => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return fromDatabaseError(error)?.status === 503 || /^(?:08|40|53|55|57|58)|^23503$/.test(code) || /timeout/i.test(String(error));
};

/** With the `writer`, older matches that other processes have found for the same devices are handled first. */
export const handleMatches = (services: Services, watcher: UplinkWatcher, matches: readonly Match[], writer: string | null = null) =>
  createCtx(services, nobody).transaction(async (tx) => {
    const claimed = await claimMatches(tx.db, watcher.name, matches, writer);
    if (claimed.length > 0) await watcher.handle(tx, claimed);
  });

/** Matches of one watcher, handled one after the other. */
export class MatchQueue {
  readonly #services: Services;
  readonly #watcher: UplinkWatcher;
  readonly #writer: string;
  #waiting: Match[] = [];
  readonly #rounds = new CoalescedTask(() => this.#work());
  isStopped = false;

  constructor(services: Services, watcher: UplinkWatcher, writer: string) {
    this.#services = services;
    this.#watcher = watcher;
    this.#writer = writer;
  }

  push(match: Match): void {
    this.#waiting.push(match);
    // Matches of one flush are pushed one by one in the same turn and handled together.
    this.#rounds.request();
  }

  drain(): Promise<void> {
    return this.#rounds.settled();
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0 && !this.isStopped) await this.#carry(this.#waiting.splice(0, mostAtOnce));
  }

  /** Waits for an unreachable database; a match that cannot be handled is left to the sweep, so that it does not delay the others. */
  async #carry(matches: Match[], writer: string | null = this.#writer): Promise<void> {
    for (let pauseMs = 20; !this.isStopped; pauseMs = Math.min(pauseMs * 2, 2000)) {
      try {
        await handleMatches(this.#services, this.#watcher, matches, writer);
        return;
      } catch (error) {
        if (!isTransient(error)) {
          this.#services.log.error({ err: error, watcher: this.#watcher.name, matches: matches.length }, 'matches could not be handled');
          if (writer !== null) for (const match of matches) await this.#carry([match], null);
          return;
        }
        await delay(pauseMs);
      }
    }
  }
}
