import { setTimeout as delay } from 'node:timers/promises';
import type { Point } from '@telltale/domain/uplinks/record.ts';
import { storableJson } from '@telltale/domain/uplinks/storable-json.ts';
import type { DeviceEntry } from '../networks/directory.ts';
import { AskTogether } from '../platform/ask-together.ts';
import type { Ctx, Services } from '../platform/context.ts';
import { handleMatches, isTransient, MatchQueue, mostAtOnce } from './match-queue.ts';
import { claimMatches, countAttempt, listLeftMatches, listMatchesOf } from './matches.store.ts';
import type { UplinkEntry } from './storage/entry.ts';

/** An accepted uplink, as watchers see it. Times are microseconds since 1970. */
export interface SeenUplink {
  uplink_id: string;
  receivedAt: number;
  /** The time under which the first of its points without a time of their own is stored; later than `receivedAt` by microseconds. */
  assignedAt: number;
  points: readonly Point[];
  /** Another process has handled or found something about this device that this one does not know yet. */
  isBehind?: boolean;
}

/** A watcher's match: at most one per subject (an alert, a schedule) and uplink. The payload is JSON. */
export interface Found {
  subject_id: number;
  payload: unknown;
}

/** A match as it is stored and handed over. */
export interface Match extends Found {
  watcher: string;
  device_pk: number;
  uplink_id: string;
  /** When the uplink was received, as ISO text. */
  at: string;
}

/** A room to the right of uplinks that looks at every accepted reading before it is stored. The roles hand watchers in. */
export interface UplinkWatcher {
  name: string;
  /** Called for every stored uplink, never for a duplicate: in memory, without waiting. */
  match(device: DeviceEntry, uplink: SeenUplink): Found[] | undefined;
  /** Handles matches in order of arrival. They are deleted in this transaction; after an error they are tried again. */
  handle(tx: Ctx, matches: readonly Match[]): Promise<unknown>;
  /** The last uplinks of this device could not be stored: the watcher drops what it remembers of them. */
  forget?(devicePk: number): void;
  /** These devices come from another process: the watcher reads what is stored about them. */
  catchUp?(devicePks: readonly number[]): Promise<void>;
  /** Resolves when the watcher is ready to match; uplinks wait for it. */
  ready?(): Promise<void>;
  /** Reloads the watcher's state, because another process has changed it. */
  refresh?(): void;
  /** Releases its resources; called by its creator. */
  stop?(): Promise<void>;
}

const mostLeft = 10_000;
const mostAttempts = 10;
/** No device is kept waiting longer. */
const longestCatchUpMs = 2000;
const catchUpAgainMs = 1000;

/** Yields one match per subject, with a payload that the database accepts: a match must never keep its uplink from being stored. */
function* onePerSubject(found: readonly Found[]): Generator<Found> {
  const subjects = new Set<number>();
  for (const { subject_id, payload } of found) {
    const text = storableJson(payload);
    if (subjects.has(subject_id) || text === null) continue;
    subjects.add(subject_id);
    yield { subject_id, payload: JSON.parse(text) };
  }
}

/** The watchers of one process: their matches are stored with the uplinks, and handled right after the commit. */
export class Watchers {
  readonly #services: Services;
  readonly #queues: Map<string, MatchQueue>;
  readonly #watchers: readonly UplinkWatcher[];
  readonly #behind = new Set<number>();
  #isStopped = false;
  readonly #arrivals = new AskTogether(async (pks: number[]) => {
    await this.#takeOver([...new Set(pks)]);
    return pks;
  }, mostAtOnce);

  /** `writer` is the id of this process. */
  constructor(services: Services, watchers: readonly UplinkWatcher[], writer: string) {
    this.#services = services;
    this.#watchers = watchers;
    this.#queues = new Map(watchers.map((watcher) => [watcher.name, new MatchQueue(services, watcher, writer)]));
  }

  /** A watcher that throws must not keep an uplink from being stored. */
  match({ device, uplink_id, receivedAt, uplink }: UplinkEntry, assignedAt: number): Match[] | undefined {
    let found: Match[] | undefined;
    const isBehind = this.#behind.size > 0 && this.#behind.has(device.pk);
    for (const watcher of this.#watchers) {
      try {
        const seen = watcher.match(device, { uplink_id, receivedAt, assignedAt, points: uplink.points, isBehind });
        if (!seen || seen.length === 0) continue;
        const at = new Date(Math.floor(receivedAt / 1000)).toISOString();
        found ??= [];
        for (const { subject_id, payload } of onePerSubject(seen))
          found.push({ watcher: watcher.name, subject_id, payload, device_pk: device.pk, uplink_id, at });
      } catch (error) {
        this.#services.log.error({ err: error, watcher: watcher.name, device: device.device_id }, 'a watcher of uplinks failed');
      }
    }
    return found;
  }

  /** Called after the commit, in the order of arrival. */
  hand(matches: readonly Match[]): void {
    for (const match of matches) this.#queues.get(match.watcher)?.push(match);
  }

  forget(devicePks: Iterable<number>): void {
    for (const pk of devicePks) for (const watcher of this.#watchers) watcher.forget?.(pk);
  }

  /**
   * Takes over devices that come from another process, before their next reading is matched: handles what was not handled there, and lets
   * the watchers read what is stored. When that takes too long (a process that is cut off may hold the rows), the devices go on, every
   * reading of theirs is a match, and it is tried again.
   */
  async catchUp(devicePks: readonly number[]): Promise<void> {
    const pks = [...new Set(devicePks)];
    for (const pk of pks) this.#behind.add(pk);
    const caughtUp = Promise.all(pks.map((pk) => this.#arrivals.ask(pk))).then(
      () => true,
      (error: Error) => {
        this.#services.log.warn({ err: error.message }, 'matches of devices that come from another process wait');
        if (!this.#isStopped) setTimeout(() => this.#isStopped || void this.catchUp(pks), catchUpAgainMs).unref();
        return false;
      },
    );
    await Promise.race([caughtUp, delay(longestCatchUpMs, undefined, { ref: false })]);
  }

  async #takeOver(devicePks: number[]): Promise<void> {
    for (const match of await listMatchesOf(this.#services.db, devicePks, mostLeft)) {
      const watcher = this.#watchers.find(({ name }) => name === match.watcher);
      if (!watcher) continue;
      await handleMatches(this.#services, watcher, [match]).catch((error) => {
        if (isTransient(error)) throw error; // Any other error is left to the sweep, which counts the attempts.
      });
    }
    for (const watcher of this.#watchers) await watcher.catchUp?.(devicePks);
    for (const pk of devicePks) this.#behind.delete(pk);
  }

  /** Resolves when everything handed over so far is handled. */
  async drain(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.drain()));
  }

  /** Waits a moment for the open matches; the sweep handles the rest. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.race([this.drain(), delay(3000, undefined, { ref: false })]);
    for (const queue of this.#queues.values()) queue.isStopped = true;
  }
}

/** Handles matches that a killed process left behind or that failed before; gives up after ten attempts. */
export async function sweepMatches(services: Services, watchers: readonly UplinkWatcher[], graceSeconds = 3): Promise<void> {
  for (const match of await listLeftMatches(services.db, 1000, graceSeconds)) {
    const watcher = watchers.find(({ name }) => name === match.watcher);
    try {
      if (!watcher) throw new Error(`There is no watcher ${match.watcher}.`);
      await handleMatches(services, watcher, [match]);
    } catch (error) {
      const isLast = (await countAttempt(services.db, match)) >= mostAttempts;
      services.log.error({ err: error, watcher: match.watcher, isLast }, 'a match could not be handled');
      if (isLast) await claimMatches(services.db, match.watcher, [match]);
    }
  }
}
