import { nobody } from '@telltale/domain/access/identity.ts';
import { longestReason } from '@telltale/domain/commands/delivery.ts';
import type { DownlinkCarrier, SendResult } from '../networks/downlinks.ts';
import { CoalescedTask } from '../platform/coalesced-task.ts';
import { createCtx, type Services } from '../platform/context.ts';
import { listen } from '../platform/jobs/listen.ts';
import { isTransient } from '../uplinks/match-queue.ts';
import { deviceOf, downlinkOf } from './downlink.ts';
import { EventWriter } from './event-writer.ts';
import { downlinkNotification, readIds } from './notices.ts';
import { applyEvents } from './progress.ts';
import {
  type AddressedDelivery,
  claim,
  dueDevices,
  type Head,
  isAnyOpen,
  readHeads,
  release,
  settleUnreached,
  timedOut,
  waitedFor,
} from './queue.store.ts';
import { Withdrawals } from './withdrawals.ts';

export interface DispatcherOptions {
  sweepMs?: number;
  /** design 8.1: the limit of one channel per second; further deliveries wait. */
  perSecond?: number;
}

/** iot-behaviour 3.8: the number of deliveries in one batch. */
const batch = 500;
const fullChannelMs = 100;
/** After the database was away, processes first note what networks have answered meanwhile. */
const notesFirstMs = 5000;
/** Interval of the check for reachable devices that were missed. */
const lookAgainMs = 60_000;

export interface Dispatcher {
  /** Call it after the networks are closed: their unfinished sends are recorded as given up. */
  stop(): Promise<void>;
}

/**
 * Sends commands to devices, in every process that can reach some. All its decisions depend on the database: notifications and newly
 * listening devices wake it, and a regular sweep finds missed work.
 */
export function startDispatcher(
  services: Services,
  processId: string,
  carriers: readonly DownlinkCarrier[],
  options: DispatcherOptions = {},
): Dispatcher {
  const { db, log, databaseUrl, config } = services;
  const { sweepMs = 500, perSecond = config.commandsPerSecond } = options;
  const newCtx = () => createCtx(services, nobody);
  const writer = new EventWriter(newCtx);
  const due = new Set<number>();
  /** Devices that have just started to listen, with the time. */
  const reached = new Map<number, Date>();
  /** Devices with due deliveries that no network of this process reaches. */
  const unreached = new Set<number>();
  const sending = new Set<Promise<void>>();
  /** Deliveries that were handed over, which is not noted yet. */
  const unnoted = new Set<number>();
  let timersFrom = 0;
  let isAllReached = false;
  let lookedAt = Date.now();
  let isStopped = false;
  let sweeping: Promise<void> | undefined;

  const fail = (what: string) => (error: unknown) => log.warn({ err: error instanceof Error ? error.message : String(error) }, what);
  const carrierOf = (head: AddressedDelivery) => {
    const device = deviceOf(head);
    const carrier = carriers.find((each) => each.kinds.includes(head.kind) && each.reaches(device));
    return carrier && { carrier, device };
  };

  const withdrawals = new Withdrawals(services, carrierOf);

  const wake = (pks: Iterable<number>) => {
    for (const pk of pks) due.add(pk);
    if (!isStopped && isAnyDue()) rounds.request();
  };

  const isAnyDue = () => due.size > 0 || reached.size > 0 || isAllReached;

  const rounds = new CoalescedTask(async () => {
    try {
      while (!isStopped && isAnyDue()) {
        await releaseReached();
        const pks = [...due].slice(0, batch);
        for (const pk of pks) due.delete(pk);
        if (pks.length > 0) await dispatch(pks);
      }
    } catch (error) {
      fail('commands could not be handed over')(error);
      // The next sweep retries failed devices; new ones that arrived meanwhile are handled at once.
      if (due.size > 0) wake([]);
    }
  });

  const releaseReached = async () => {
    if (isAllReached) {
      isAllReached = false;
      const found: number[] = [];
      for (const { device_pk, device_id, channel_pk, channel_id } of await waitedFor(db)) {
        const channel = { pk: channel_pk, channel_id } as Parameters<DownlinkCarrier['reaches']>[0]['channel'];
        if (carriers.some((each) => each.reaches({ pk: device_pk, device_id, channel }))) found.push(device_pk);
      }
      // Their connections need not be new, so deliveries in flight stay in flight.
      if (found.length > 0) await release(db, found, null);
      for (const pk of found) due.add(pk);
    }
    if (reached.size === 0) return;
    const entries = [...reached].slice(0, batch);
    const oldest = new Date(Math.min(...entries.map(([, at]) => at.getTime())));
    await release(
      db,
      entries.map(([pk]) => pk),
      oldest,
    );
    for (const [pk, at] of entries) {
      if (reached.get(pk) === at) reached.delete(pk);
      due.add(pk);
    }
  };

  const dispatch = async (pks: number[]) => {
    const read = await readHeads(db, pks, perSecond);
    // A device that started to listen meanwhile may have older deliveries that are not released yet: those go first.
    const isEarly = ({ device_pk }: Head) => isAllReached || reached.has(device_pk);
    for (const head of read.filter(isEarly)) due.add(head.device_pk);
    const heads = read.filter((head) => !isEarly(head));
    const held = heads.filter(({ fits }) => !fits);
    if (held.length > 0) setTimeout(() => wake(held.map(({ device_pk }) => device_pk)), fullChannelMs).unref();
    const sendable = new Map(
      heads
        .filter(({ fits }) => fits)
        .flatMap((head) => {
          const found = carrierOf(head);
          if (!found) unreached.add(head.device_pk);
          return found ? [[head.id, { head, ...found }]] : [];
        }),
    );
    if (sendable.size === 0) return;
    for (const id of await claimAll([...sendable.keys()])) {
      const one = sendable.get(id);
      if (!one) continue;
      const task: Promise<void> = send(one).finally(() => sending.delete(task));
      sending.add(task);
      // A network takes the next delivery while this one is in progress.
      if (!one.head.is_direct) due.add(one.head.device_pk);
    }
  };

  /** Claims deliveries; when two processes claim for one device at once, a unique index refuses the second. */
  const claimAll = async (ids: number[]): Promise<number[]> => {
    try {
      return [...(await claim(db, ids))];
    } catch (error) {
      if (ids.length === 1 || !(error instanceof Error && 'code' in error && error.code === '23505')) throw error;
      const claimed: number[] = [];
      for (const id of ids) claimed.push(...(await claim(db, [id]).catch(() => [])));
      return claimed;
    }
  };

  const send = async ({ head, carrier, device }: { head: Head; carrier: DownlinkCarrier; device: ReturnType<typeof deviceOf> }) => {
    const downlink = downlinkOf(head);
    const result = await carrier
      .send(device, downlink)
      .catch((error: Error): SendResult => ({ status: 'failed', reason: error.message.slice(0, longestReason) }));
    const at = Date.now();
    const event =
      result.status === 'later'
        ? ({ kind: 'later', reason: result.reason, afterMs: result.afterMs } as const)
        : result.status === 'failed'
          ? ({ kind: 'failed', reason: result.reason } as const)
          : ({ kind: result.status } as const);
    const raw = 'raw' in result ? result.raw : undefined;
    unnoted.add(head.id);
    await writer
      .write({ of: { id: head.id }, attempt: downlink.attempt, at, event, raw })
      .catch(fail('what became of a command could not be noted'))
      .finally(() => unnoted.delete(head.id));
    wake([head.device_pk]);
  };

  const sweep = async () => {
    if (!(await isAnyOpen(db))) return;
    const late = Date.now() < timersFrom ? [] : (await timedOut(db, batch)).filter((id) => !unnoted.has(id));
    if (late.length > 0)
      await applyEvents(
        newCtx(),
        late.map((id) => ({ of: { id }, event: { kind: 'timer' } as const })),
      );
    wake(await dueDevices(db, 4 * batch));
    if (unreached.size > 0) await settleUnreached(db, [...unreached], processId);
    unreached.clear();
    if (Date.now() - lookedAt > lookAgainMs) {
      lookedAt = Date.now();
      isAllReached = true;
      wake([]);
    }
    await withdrawals.look();
  };

  const listener = listen(
    databaseUrl,
    { [downlinkNotification]: (payload) => wake(readIds(payload)) },
    () => {
      isAllReached = true;
      wake([]);
    },
    log,
  );
  const undo = carriers.map((carrier) =>
    carrier.onReachable((device, since = new Date()) => {
      if (device === 'all') isAllReached = true;
      else reached.set(device, since);
      wake([]);
    }),
  );
  const timer = setInterval(() => {
    sweeping ??= sweep()
      .catch((error: unknown) => {
        if (isTransient(error)) timersFrom = Date.now() + notesFirstMs;
        fail('commands could not be looked after')(error);
      })
      .finally(() => {
        sweeping = undefined;
      });
  }, sweepMs);

  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      for (const off of undo) off();
      await listener.stop();
      await sweeping;
      await withdrawals.stop();
      await rounds.settled();
      writer.hurry();
      await Promise.all(sending);
      await writer.stop();
    },
  };
}
