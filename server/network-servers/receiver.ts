import { setTimeout as delay } from 'node:timers/promises';
import { countLost, type Frame } from '@telltale/domain/lorawan/frame-counter.ts';
import { radioPoints } from '@telltale/domain/lorawan/radio.ts';
import type { Point } from '@telltale/domain/uplinks/record.ts';
import { shiftClock } from '@telltale/domain/uplinks/times.ts';
import { admission } from '../networks/admission.ts';
import { ulidOfUuid } from '../networks/attempt-uuid.ts';
import type { ChannelEntry, DeviceDirectory, DeviceEntry } from '../networks/directory.ts';
import type { ReportDownlinks } from '../networks/downlinks.ts';
import type { DeviceEvent, DownlinkReport, EndDevice, NetworkEvent, UplinkEvent } from '../networks/network-event.ts';
import type { Outcome, UplinkSink } from '../networks/uplink-sink.ts';
import type { Services } from '../platform/context.ts';
import { isRefusedForGood } from '../platform/errors.ts';
import { oldestPoint } from '../uplinks/storage/flush-rows.ts';
import { addLostFrames, findLastFrame, hasDeviceEvent, insertDeviceEvent, setDevEui, upsertNetworkDevice } from './device-events.store.ts';
import { deleteEarlyEvent, keepEarlyEvent, listEarlyEvents } from './early-events.store.ts';
import { findAttempt, listOpenAttempts, markAnswered } from './network-downlinks.store.ts';

export interface ReceiverParts {
  directory: DeviceDirectory;
  /** `notePoints` stores Telltale's own points; it rejects when they could not be stored. */
  uplinks: UplinkSink & { notePoints(device: DeviceEntry, points: Point[]): Promise<void> };
  /** Moves deliveries of commands to their next state. */
  report: ReportDownlinks;
  /** Called with the position at which a network located a device. */
  place(device: DeviceEntry, position: { latitude: number; longitude: number }): Promise<void>;
}

/** The source of a message, for the message log. */
export interface Origin {
  network_id: number;
  topic: string;
  isRepeat: boolean;
  /** The sender waits for our acknowledgement: such a sender is slowed down when it is too fast, others are refused (1.6). */
  canWait: boolean;
  /** When a message that waited for us came, in milliseconds: the rates count it at that time. */
  cameAt?: number;
  /** Another attempt to store the message; the rates have counted it already. */
  isCounted?: boolean;
}

/** The message is not on disk: the sender keeps it and sends it again. */
class Unstored extends Error {
  override name = 'Unstored';
}

/** A message on its way to the disk. An object, because a promise of a promise would wait for both. */
interface Started {
  ended: Promise<Outcome | undefined>;
}

const endStates = new Set<DownlinkReport['state']>(['acknowledged', 'failed']);
const mostFrames = 100_000;

/** Stores what networks report: maps applications to channels, end devices to devices, radio facts to points (iot-behaviour 2.5, 2.6). */
export class Receiver {
  readonly #services: Services;
  readonly #parts: ReceiverParts;
  readonly #storing = new Map<number, Promise<void>>();
  readonly #frames = new Map<number, Frame>();
  /** The network's last name of each device, so that it is written only when it changes. */
  readonly #names = new Map<number, string>();

  constructor(services: Services, parts: ReceiverParts) {
    this.#services = services;
    this.#parts = parts;
  }

  /**
   * Resolves when all events are on their way, in order; `ended` resolves when everything is on disk or reported as unreadable, with the
   * fault of the network as a whole: no channel takes the application.
   */
  async dispatch(events: readonly NetworkEvent[], origin: Origin): Promise<{ ended(): Promise<{ fault: string | null }> }> {
    const outcomes: Promise<Outcome | undefined>[] = [];
    let fault: string | null = null;
    for (const event of events) {
      const channel = await this.#findChannel(origin.network_id, event.end_device);
      if (!channel) {
        fault = `No channel takes the application ${event.end_device.application_id ?? 'of this network'}.`;
        // A device joins only once, so the event is kept for a channel that is bound later.
        if (event.kind === 'join') await keepEarlyEvent(this.#services.db, origin.network_id, event);
      }
      if (!channel) continue;
      const started = await this.#start(channel, event, origin).catch((error: Error) => ({ ended: Promise.reject(error) }));
      started.ended.catch(() => {});
      outcomes.push(started.ended);
    }
    return {
      async ended() {
        requireStored(await Promise.allSettled(outcomes));
        return { fault };
      },
    };
  }

  /** Handles joins that came before their channel was bound; returns whether some are left. */
  async takeEarly(networkId: number): Promise<boolean> {
    const { db } = this.#services;
    const rows = await listEarlyEvents(db, networkId);
    for (const { id, event } of rows) {
      const channel = await this.#findChannel(networkId, event.end_device);
      if (!channel) continue;
      const { ended } = await this.#start(channel, event, { network_id: networkId, topic: '', isRepeat: false, canWait: true });
      await ended;
      await deleteEarlyEvent(db, id);
    }
    return rows.length > 0;
  }

  /** The channel of this application, else the channel without an application. */
  async #findChannel(networkId: number, { application_id }: EndDevice): Promise<ChannelEntry | undefined> {
    const channels = await this.#parts.directory.findNetworkChannels(networkId);
    const own = application_id === null ? undefined : channels.find((channel) => channel.application_id === application_id);
    const only = application_id === null && channels.length === 1 ? channels[0] : undefined;
    return own ?? channels.find((channel) => channel.application_id === null) ?? only;
  }

  /** The next event is dispatched before this one is stored. */
  async #start(channel: ChannelEntry, event: NetworkEvent, origin: Origin): Promise<Started> {
    const device = await this.#findDevice(channel, event.end_device);
    if (event.kind === 'uplink') return this.#uplink(channel, device, event, origin);
    if (!device || device.isDisabled) return { ended: Promise.resolve(undefined) };
    const { pk } = device;
    return { ended: this.#inOrder(pk, () => (event.kind === 'downlink' ? this.#downlink(device, event) : this.#event(device, event))) };
  }

  /** Events of one device are stored one after another, so that its message log shows them in the order of arrival. */
  #inOrder<T>(devicePk: number, store: () => Promise<T>): Promise<T> {
    const storing = (this.#storing.get(devicePk) ?? Promise.resolve()).then(store);
    const settled = storing
      .catch(() => {})
      .then(() => {
        if (this.#storing.get(devicePk) === settled) this.#storing.delete(devicePk);
      });
    this.#storing.set(devicePk, settled);
    return storing;
  }

  async #findDevice(channel: ChannelEntry, named: EndDevice): Promise<DeviceEntry | undefined> {
    const { directory } = this.#parts;
    const { channel_id } = channel;
    const { dev_eui } = named;
    const device_id = named.device_id ?? dev_eui ?? '';
    const found =
      (dev_eui && (await directory.findDeviceByEui(channel_id, dev_eui))) || (await directory.findDevice(channel_id, device_id));
    const device = found ?? (await this.#create(channel, device_id, named));
    if (!device) return undefined;
    if (dev_eui && device.dev_eui !== dev_eui) await setDevEui(this.#services.db, device.pk, dev_eui);
    await this.#noteName(device, named);
    return device;
  }

  async #create(channel: ChannelEntry, deviceId: string, { name, dev_eui }: EndDevice): Promise<DeviceEntry | undefined> {
    return this.#parts.directory.createDevice(channel, deviceId, { ...(name ? { device_name: name.slice(0, 255) } : {}), dev_eui });
  }

  async #noteName({ pk }: DeviceEntry, { device_id, application_id }: EndDevice): Promise<void> {
    const name = `${device_id} ${application_id}`;
    if (this.#names.get(pk) === name) return;
    await upsertNetworkDevice(this.#services.db, pk, device_id, application_id);
    if (this.#names.size >= mostFrames) this.#names.clear();
    this.#names.set(pk, name);
  }

  async #uplink(channel: ChannelEntry, found: DeviceEntry | undefined, event: UplinkEvent, origin: Origin): Promise<Started> {
    const { topic, isRepeat, canWait, cameAt, isCounted } = origin;
    const { uplinks } = this.#parts;
    const { fport, fcnt, session, bytes, radio, heard_by, per, battery, object, source } = event;
    const device_id = event.end_device.device_id ?? event.end_device.dev_eui ?? '';
    const where = { channel, device: found ?? null, device_id: device_id.slice(0, 64), topic, payload: bytes };
    const admitted = admission(this.#parts, { channel, device: found, device_id, canWait, cameAt, isCounted });
    if (admitted.refusal) {
      const { code, message } = admitted.refusal;
      return { ended: new Promise<Outcome>((done) => uplinks.reject({ ...where, code, message }, done)) };
    }
    const { device, waitMs } = admitted;
    const lost = fcnt === null ? null : await this.#countLost(device.pk, { session, fcnt });
    const meta = { lora: radio, gateways: heard_by, confirmed: event.confirmed, session, lost, per, battery, ...event.more };
    const network = {
      object,
      points: radioPoints(channel.metadata, { radio, fport, fcnt, per, lost, battery }, event.at),
      message_id: event.message_id,
      at: event.at,
      fcnt,
      meta,
      warnings: event.warnings,
    };
    // Our own decoder reads bytes; without bytes the object that the network decoded is used.
    const isObject = bytes.length === 0 && object !== null;
    const payload = isObject ? Buffer.from(JSON.stringify(object)) : bytes;
    const message = {
      device,
      topic,
      format: isObject ? ('json' as const) : ('raw' as const),
      fport,
      payload,
      source,
      packet_id: null,
      isRepeat,
      network,
    };
    const stored = new Promise<Outcome>((done) => uplinks.receive(message, done)).then((outcome) =>
      this.#noteLost(channel.pk, lost, outcome),
    );
    return { ended: waitMs > 0 ? stored.then((outcome) => delay(waitMs, outcome)) : stored };
  }

  /** A gap counts once, when the frame after it is stored: not with a repetition, nor with one that will come again. */
  async #noteLost(channelPk: number, lost: number | null, outcome: Outcome): Promise<Outcome> {
    const isNew = outcome.status === 'stored' || outcome.status === 'partial';
    if (lost && isNew)
      await addLostFrames(this.#services.db, channelPk, lost).catch((error: Error) =>
        this.#services.log.warn({ err: error.message, channel: channelPk }, 'lost frames could not be counted'),
      );
    return outcome;
  }

  async #countLost(devicePk: number, frame: Frame): Promise<number> {
    const last = this.#frames.get(devicePk) ?? (await findLastFrame(this.#services.db, devicePk));
    const { lost, next } = countLost(last, frame);
    if (this.#frames.size >= mostFrames) this.#frames.clear();
    this.#frames.set(devicePk, next);
    return lost;
  }

  /** The row of the event says that it was taken, so it is written last: an event that was only partly stored is taken again. */
  async #event(device: DeviceEntry, event: DeviceEvent): Promise<undefined> {
    const { db } = this.#services;
    const { at, source, level, message, key, raw, position } = event;
    if (event.kind === 'join') this.#frames.delete(device.pk);
    if (key !== null && (await hasDeviceEvent(db, device.pk, key))) return undefined;
    const points = eventPoints(event);
    if (points.length > 0) await this.#parts.uplinks.notePoints(device, points);
    if (position) await this.#parts.place(device, position);
    if (event.isQueueLost) await this.#queueAgain(device, raw);
    await insertDeviceEvent(db, { device_pk: device.pk, at, source, event: event.event, level, message, key, raw });
    return undefined;
  }

  /** iot-behaviour 2.5 and 3.8: what waited at the network under the old session is handed over again. */
  async #queueAgain({ pk }: DeviceEntry, raw: unknown): Promise<void> {
    const attempts = await listOpenAttempts(this.#services.db, pk);
    await this.#parts.report(attempts.map((attempt_id) => ({ attempt_id, kind: 'requeued', is_lost: true, raw })));
  }

  /** iot-behaviour 2.8. A repeated event changes nothing: deliveries recognise it by attempt, state and counter. */
  async #downlink(device: DeviceEntry, event: DownlinkReport): Promise<undefined> {
    const { db } = this.#services;
    const { source, state, fcnt, reason, raw, at } = event;
    const attempt_id = event.attempt_id === null ? null : await this.#ownAttempt(event.attempt_id);
    const level = state === 'failed' ? 'error' : state === 'nacked' ? 'warning' : 'info';
    const key = event.attempt_id && `${event.event}/${state}/${event.attempt_id}/${fcnt ?? ''}/${event.attempt ?? ''}`;
    const message = reason ?? words[state];
    await insertDeviceEvent(db, { device_pk: device.pk, at, source, event: event.event, level, message, key, raw });
    if (attempt_id === null) return undefined;
    await this.#parts.report([{ attempt_id, kind: state, ...(reason === null ? {} : { reason }), will_repeat: event.will_repeat, raw }]);
    await markAnswered(db, attempt_id, endStates.has(state));
    return undefined;
  }

  /** A UUID is our own id in another form, or the network's id. */
  async #ownAttempt(id: string): Promise<string | null> {
    if (!id.includes('-')) return id;
    return (await findAttempt(this.#services.db, id)) ?? ulidOfUuid(id);
  }
}

/** Throws when an event has to be reported again; a value that the database never takes counts only when everything else is stored. */
function requireStored(outcomes: readonly PromiseSettledResult<Outcome | undefined>[]): void {
  const faults = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  const passing = faults.find((fault) => !isRefusedForGood(fault));
  if (passing) throw passing;
  if (outcomes.some((outcome) => outcome.status === 'fulfilled' && outcome.value?.status === 'unavailable'))
    throw new Unstored('This could not be stored.');
  if (faults.length > 0) throw faults[0];
}

/** The points that an event brings. They have the time of the event, so that they replace themselves when it is stored twice. */
function eventPoints({ kind, at, margin = null, battery = null, position = null }: DeviceEvent): Point[] {
  const now = Date.now() * 1000;
  const values = {
    ...(kind === 'join' ? { 'sys.joined': 1 } : {}),
    ...(margin === null ? {} : { 'lora.margin': margin }),
    ...(battery === null ? {} : { 'lora.battery': battery }),
    ...(position ? { 'lora.latitude': position.latitude, 'lora.longitude': position.longitude } : {}),
  };
  const time = at !== null && at < oldestPoint(now) ? null : at;
  const points = Object.entries(values).map(
    ([name, value]): Point => ({ name, kind: 'n', value, text: null, at: time, entry: 0, unit: null }),
  );
  shiftClock(points, now);
  return points;
}

const words: Record<DownlinkReport['state'], string> = {
  queued: 'The network queued a downlink',
  sent: 'A gateway sent a downlink',
  acknowledged: 'The device acknowledged a downlink',
  nacked: 'The device did not acknowledge a downlink',
  failed: 'A downlink failed',
  requeued: 'The network queues a downlink again',
};
