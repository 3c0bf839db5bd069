import { setTimeout as delay } from 'node:timers/promises';
import type { Point } from '@telltale/domain/uplinks/record.ts';
import type { DeviceEntry } from '../networks/directory.ts';
import { CoalescedTask } from '../platform/coalesced-task.ts';
import type { Ctx, Services } from '../platform/context.ts';
import { type Listener, listen } from '../platform/jobs/listen.ts';
import type { Found, Match, SeenUplink, UplinkWatcher } from '../uplinks/watchers.ts';
import { conditionEvent, type Observed } from './effects.ts';
import { deliveryNotification, readIds } from './notices.ts';
import { listOpenConditions } from './progress.store.ts';
import { applyEvents } from './progress.ts';

const retryMs = 1000;

/**
 * iot-behaviour 3.5: checks every uplink for the effects of commands. This watcher only filters; the final decision happens on the locked
 * row of the delivery.
 */
export class EffectWatcher implements UplinkWatcher {
  readonly name = 'commands.effects';
  readonly #services: Services;
  readonly #listener: Listener;
  readonly #ready = Promise.withResolvers<void>();
  readonly #byDevice = new Map<number, Map<number, Observed['until']>>();
  readonly #deviceOf = new Map<number, number>();
  /** Ids of deliveries to read again, or all. */
  #stale: Set<number> | 'all' = new Set();
  #isStopped = false;
  readonly #reading = new CoalescedTask(() => this.#read());

  constructor(services: Services) {
    this.#services = services;
    this.#listener = listen(
      services.databaseUrl,
      { [deliveryNotification]: (payload) => this.#refresh(readIds(payload)) },
      () => this.#refresh('all'),
      services.log,
    );
  }

  ready(): Promise<void> {
    return this.#ready.promise;
  }

  match(device: DeviceEntry, { points, receivedAt }: SeenUplink): Found[] | undefined {
    const open = this.#byDevice.get(device.pk);
    if (!open) return undefined;
    return [...open].flatMap(([subject_id, until]): Found[] => {
      const observed = points.filter(({ name }) => name === until.column).map((point) => observe(point, receivedAt, until));
      return observed.length === 0 ? [] : [{ subject_id, payload: conditionEvent(observed) }];
    });
  }

  async handle(tx: Ctx, matches: readonly Match[]): Promise<void> {
    await applyEvents(
      tx,
      matches.map(({ subject_id, payload, uplink_id }) => ({
        of: { id: subject_id },
        event: payload as ReturnType<typeof conditionEvent>,
        raw: { uplink_id },
      })),
    );
  }

  #refresh(ids: number[] | 'all'): void {
    if (ids === 'all' || this.#stale === 'all') this.#stale = 'all';
    else for (const id of ids) this.#stale.add(id);
    this.#reading.request();
  }

  async #read(): Promise<void> {
    const stale = this.#stale;
    this.#stale = new Set();
    try {
      const open = await listOpenConditions(this.#services.db, stale === 'all' ? null : [...stale]);
      for (const id of stale === 'all' ? [...this.#deviceOf.keys()] : stale) this.#close(id);
      for (const { id, device_pk, until } of open) {
        this.#deviceOf.set(id, device_pk);
        this.#byDevice.set(device_pk, (this.#byDevice.get(device_pk) ?? new Map<number, Observed['until']>()).set(id, until));
      }
      this.#ready.resolve();
    } catch (error) {
      // Until the next successful read, deliveries check the stored points at the end of their wait.
      this.#services.log.warn({ err: error instanceof Error ? error.message : String(error) }, 'open conditions could not be read');
      await delay(retryMs);
      if (!this.#isStopped) this.#refresh(stale === 'all' ? 'all' : [...stale]);
    }
  }

  #close(id: number): void {
    const device = this.#deviceOf.get(id);
    if (device === undefined) return;
    this.#deviceOf.delete(id);
    const open = this.#byDevice.get(device);
    open?.delete(id);
    if (open?.size === 0) this.#byDevice.delete(device);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#listener.stop();
    await this.#reading.settled();
  }
}

const observe = ({ kind, value, text, at }: Point, receivedAt: number, until: Observed['until']): Observed => ({
  kind,
  value,
  text,
  at: Math.floor((at ?? receivedAt) / 1000),
  until,
});
