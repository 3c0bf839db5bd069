import { attemptId } from '@telltale/domain/commands/progress.ts';
import type { DeviceEntry } from '../networks/directory.ts';
import type { DownlinkCarrier } from '../networks/downlinks.ts';
import type { Services } from '../platform/context.ts';
import { type AddressedDelivery, noteWithdrawn, takeWithdrawn } from './queue.store.ts';

const mostAtOnce = 500;
/** Further devices of a channel wait, so that a slow network is not asked for all of them at once. */
const mostPerChannel = 10;
/** As for sending (iot-behaviour 3.8): 1, 2, 4 … 60 seconds. */
const [firstPauseMs, longestPauseMs] = [1000, 60_000];

type FindCarrier = (head: AddressedDelivery) => { carrier: DownlinkCarrier; device: DeviceEntry } | undefined;

/**
 * Takes deliveries out of the queues of networks that ended while they stood there. A network that fails is asked again after growing
 * pauses. Deliveries that wait for their turn are left out of the next looks, so that they do not stand in the way of others.
 */
export class Withdrawals {
  readonly #services: Pick<Services, 'db' | 'log'>;
  readonly #carrierOf: FindCarrier;
  /** The deliveries to leave out until a time, and the length of their next pause. */
  readonly #resting = new Map<number, { until: number; pauseMs: number }>();
  /** The devices that are being worked on, with their channels. */
  readonly #busy = new Map<number, number>();
  readonly #running = new Set<Promise<void>>();

  constructor(services: Pick<Services, 'db' | 'log'>, carrierOf: FindCarrier) {
    this.#services = services;
    this.#carrierOf = carrierOf;
  }

  async look(): Promise<void> {
    const now = Date.now();
    // A delivery that was deleted meanwhile is never taken again.
    for (const [id, { until }] of this.#resting) if (until < now - longestPauseMs) this.#resting.delete(id);
    const resting = [...this.#resting].flatMap(([id, { until }]) => (until > now ? [id] : []));
    const taken = await takeWithdrawn(this.#services.db, resting, mostAtOnce);
    for (const heads of Map.groupBy(taken, ({ device_pk }) => device_pk).values()) this.#start(heads);
  }

  /** Waits for the networks that are being asked. */
  async stop(): Promise<void> {
    await Promise.all(this.#running);
  }

  #start(heads: readonly AddressedDelivery[]): void {
    const [first] = heads;
    if (!first) return;
    const { device_pk, channel_pk } = first;
    const ofChannel = [...this.#busy.values()].filter((pk) => pk === channel_pk).length;
    if (this.#busy.has(device_pk) || ofChannel >= mostPerChannel) {
      this.#leaveOut(heads, firstPauseMs);
      return;
    }
    const found = this.#carrierOf(first);
    if (!found) {
      // Another process may reach the network, or this one later.
      this.#pause(heads);
      return;
    }
    this.#leaveOut(heads, Number.POSITIVE_INFINITY);
    this.#busy.set(device_pk, channel_pk);
    const running = this.#withdraw(heads, found.carrier, found.device).finally(() => {
      this.#busy.delete(device_pk);
      this.#running.delete(running);
    });
    this.#running.add(running);
  }

  async #withdraw(heads: readonly AddressedDelivery[], carrier: DownlinkCarrier, device: DeviceEntry): Promise<void> {
    const { db, log } = this.#services;
    try {
      await carrier.withdraw?.(
        device,
        heads.map(({ wire_id, attempt }) => attemptId(wire_id, attempt)),
      );
      await noteWithdrawn(
        db,
        heads.map(({ id }) => id),
      );
      for (const { id } of heads) this.#resting.delete(id);
    } catch (error) {
      this.#pause(heads);
      log.warn({ err: error instanceof Error ? error.message : String(error) }, 'a command could not be taken back from its network');
    }
  }

  #leaveOut(heads: readonly AddressedDelivery[], ms: number): void {
    for (const { id } of heads) {
      const pauseMs = this.#resting.get(id)?.pauseMs ?? firstPauseMs;
      this.#resting.set(id, { until: Date.now() + ms, pauseMs });
    }
  }

  /** Leaves them out for a pause; the next one is twice as long. */
  #pause(heads: readonly AddressedDelivery[]): void {
    for (const { id } of heads) {
      const pauseMs = this.#resting.get(id)?.pauseMs ?? firstPauseMs;
      this.#resting.set(id, { until: Date.now() + pauseMs, pauseMs: Math.min(2 * pauseMs, longestPauseMs) });
    }
  }
}
