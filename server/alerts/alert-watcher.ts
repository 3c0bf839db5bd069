import { setTimeout as delay } from 'node:timers/promises';
import { nobody } from '@telltale/domain/access/identity.ts';
import type { Point } from '@telltale/domain/uplinks/record.ts';
import type { DeviceEntry } from '../networks/directory.ts';
import { getSettings } from '../organizations/organizations.ts';
import { CoalescedTask } from '../platform/coalesced-task.ts';
import { type Ctx, createCtx, type Services } from '../platform/context.ts';
import { type Listener, listen } from '../platform/jobs/listen.ts';
import { pointTime } from '../uplinks/storage/series.ts';
import type { Found, Match, SeenUplink, UplinkWatcher } from '../uplinks/watchers.ts';
import { AttributeWatch, limitOf, type Remembered, type WatchedAlert } from './attribute-watch.ts';
import { listRecentPoints, listStatesOf } from './device-alerts.store.ts';
import { alertStatesChannel, handleMatches, type Observation, settleObservations, stateNotice } from './device-alerts.ts';
import { listWatched, type WatchedRow } from './watched.store.ts';

const alertsChannel = 'telltale_alerts';
const retryMs = 1000;
/** After this delay, uplinks in progress are stored. */
const flushMs = 250;
/** Only alerts saved more recently than this need a second look at stored uplinks. */
const longestDelayMs = 60_000;
const [mostPoints, mostAtOnce] = [20_000, 200];

/** The alerts on one channel, as its uplinks are checked against them. */
interface ChannelWatch {
  attributes: Map<string, AttributeWatch>;
  /** Silent devices, each with the alerts that report the silence. */
  silent: Map<number, Set<number>>;
}

interface KnownAlert {
  row: WatchedRow;
  watched: WatchedAlert | undefined;
  watch: AttributeWatch | undefined;
}

/**
 * Checks every uplink of this process against the alerts on devices. The states in memory only save work: the tables decide about every
 * match, and notifications bring the changes of other processes.
 */
export class AlertWatcher implements UplinkWatcher {
  readonly name = 'alerts';
  readonly #services: Services;
  readonly #listener: Listener;
  readonly #ready = Promise.withResolvers<void>();
  #channels = new Map<number, ChannelWatch>();
  #alerts = new Map<number, KnownAlert>();
  readonly #reading = new CoalescedTask(() => this.#read());
  #isStopped = false;
  /** The second looks that are due or in progress, by alert. */
  readonly #looks = new Map<number, Promise<void>>();
  /** Ends the wait before second looks. */
  readonly #stopping = new AbortController();
  readonly #heard: string[] = [];
  readonly #settling = new Set<Promise<unknown>>();

  constructor(services: Services) {
    this.#services = services;
    const refresh = () => this.refresh();
    this.#listener = listen(
      services.databaseUrl,
      { [alertsChannel]: refresh, [alertStatesChannel]: (text) => this.#hear(text) },
      refresh,
      services.log,
    );
  }

  /** Resolves when all saved alerts are loaded and no reading is in progress. */
  async ready(): Promise<void> {
    await this.#ready.promise;
    await this.#reading.settled();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopping.abort();
    await this.#listener.stop();
    await this.#reading.settled();
    await Promise.all([...this.#looks.values(), ...this.#settling]);
  }

  /** Readings from before this process knew an alert are settled first: after a later one of their device they would not count. */
  async handle(tx: Ctx, matches: readonly Match[]): Promise<void> {
    await Promise.all(matches.map(({ subject_id }) => this.#looks.get(subject_id)));
    await handleMatches(tx, matches);
  }

  /** The remembered states by alert and device, for tests that wait for a notification. */
  get known(): Record<number, Record<number, Remembered>> {
    return Object.fromEntries([...this.#alerts].map(([id, { watched }]) => [id, Object.fromEntries(watched?.devices ?? [])]));
  }

  limitOf(alertId: number): number | undefined {
    return this.#alerts.get(alertId)?.watched?.limit;
  }

  silentCount(channelPk: number): number {
    return this.#channels.get(channelPk)?.silent.size ?? 0;
  }

  match(device: DeviceEntry, { points, assignedAt, isBehind }: SeenUplink): Found[] | undefined {
    const channel = this.#channels.get(device.channel.pk);
    if (!channel) return undefined;
    let found: Found[] | undefined;
    const silences = channel.silent.size > 0 ? channel.silent.get(device.pk) : undefined;
    if (silences) {
      channel.silent.delete(device.pk);
      found = [...silences].map((subject_id) => ({ subject_id, payload: { armedAt: this.#armedAt(subject_id) } }));
    }
    if (channel.attributes.size === 0) return found;
    for (let place = 0; place < points.length; place++) {
      const point = points[place] as Point;
      const watch = channel.attributes.get(point.name);
      // Only the newest of several readings of one attribute counts.
      if (!watch || isFollowed(points, place)) continue;
      const at = pointTime(point, assignedAt) / 1000;
      for (const { alert, value } of watch.see(device, point, at, isBehind) ?? []) {
        found ??= [];
        found.push({ subject_id: alert.id, payload: { value: value ?? null, at, armedAt: alert.armedAt } });
      }
    }
    return found;
  }

  /** Notifications of other processes may still be on their way when a device comes from there. */
  async catchUp(devicePks: readonly number[]): Promise<void> {
    await this.ready();
    if (this.#alerts.size === 0) return;
    for (const { armed_at, ...state } of await listStatesOf(this.#services.db, devicePks)) this.#hear(stateNotice(state, armed_at));
  }

  forget(devicePk: number): void {
    for (const { watched, watch } of this.#alerts.values()) {
      const known = watched?.devices.get(devicePk);
      if (known) known.state = 'unsure';
      watch?.forget(devicePk);
    }
  }

  /** Reads all alerts again; a refresh during the read starts another one. */
  refresh(): void {
    this.#reading.request();
  }

  async #read(): Promise<void> {
    try {
      const { time_zone } = await getSettings(this.#services);
      const rows = await listWatched(this.#services.db);
      this.#makeUpFor(rows, time_zone);
      this.#replace(rows, time_zone);
      for (const text of this.#heard.splice(0)) this.#apply(text);
      this.#ready.resolve();
    } catch (error) {
      this.#services.log.warn({ err: error instanceof Error ? error.message : String(error) }, 'alerts on devices could not be read');
      await delay(retryMs);
      if (!this.#isStopped) this.#reading.request();
    }
  }

  /** Checks the uplinks that arrived between the saving of an alert and now, which were not compared with it. */
  #makeUpFor(rows: readonly WatchedRow[], timeZone: string): void {
    const soon = Date.now() - longestDelayMs;
    const fresh = rows.filter(
      ({ id, armed_at, options }) =>
        options.kind === 'device' && Date.parse(armed_at) > soon && this.#alerts.get(id)?.row.armed_at !== armed_at,
    );
    if (fresh.length === 0 || this.#isStopped) return;
    const look = delay(flushMs, undefined, { signal: this.#stopping.signal })
      .then(() => this.#lookAgain(fresh, timeZone))
      .catch((error: Error) => {
        if (!this.#isStopped) this.#services.log.warn({ err: error.message }, 'readings before a change of an alert could not be read');
      })
      .finally(() => {
        for (const { id } of fresh) if (this.#looks.get(id) === look) this.#looks.delete(id);
      });
    for (const { id } of fresh) this.#looks.set(id, look);
  }

  /** Compares stored readings with states of its own: those in memory already know later readings. */
  async #lookAgain(fresh: readonly WatchedRow[], timeZone: string): Promise<void> {
    const { channels } = watchesOf(fresh, timeZone);
    const since = fresh.map(({ armed_at }) => armed_at).reduce((a, b) => (Date.parse(a) < Date.parse(b) ? a : b));
    const observations: Observation[] = [];
    for (const { device_pk, device_id, channel_pk, attribute, at, kind, value, text, matched } of await listRecentPoints(
      this.#services.db,
      [...channels.keys()],
      since,
      mostPoints,
    )) {
      const point = { name: attribute, kind: kind as Point['kind'], value, text, at: null, entry: 0, unit: null };
      const seen = channels.get(channel_pk)?.attributes.get(attribute)?.see({ pk: device_pk, device_id }, point, at) ?? [];
      // A match that is about to be handled would be settled twice; one of an earlier condition will be ignored.
      const isMatched = ({ id, armedAt }: WatchedAlert) =>
        matched.some((match) => match.alert_id === id && (match.armedAt ?? armedAt) === armedAt);
      for (const { alert, value: reading } of seen)
        if (!isMatched(alert))
          observations.push({
            alert_id: alert.id,
            device_pk,
            armedAt: alert.armedAt,
            seen: { kind: 'reading', value: reading, at, isMadeUp: true },
          });
    }
    for (let from = 0; from < observations.length; from += mostAtOnce)
      await createCtx(this.#services, nobody).transaction((tx) => settleObservations(tx, observations.slice(from, from + mostAtOnce)));
  }

  /** Settles a reading that is news since another process's older reading; if that fails, the next reading is handed on in any case. */
  #settleLater(observation: Observation): void {
    if (this.#isStopped) return;
    const settling = createCtx(this.#services, nobody)
      .transaction((tx) => settleObservations(tx, [observation]))
      .catch((error: Error) => {
        const known = this.#alerts.get(observation.alert_id)?.watched?.devices.get(observation.device_pk);
        if (known) known.state = 'unsure';
        this.#services.log.warn({ err: error.message }, 'a reading that came out of order could not be settled');
      })
      .finally(() => this.#settling.delete(settling));
    this.#settling.add(settling);
  }

  #replace(rows: readonly WatchedRow[], timeZone: string): void {
    const { channels, alerts } = watchesOf(rows, timeZone, this.#channels);
    for (const [id, { row, watched }] of alerts) {
      // Matches that this process has found and nobody has handled yet are newer than the tables.
      const before = this.#alerts.get(id);
      if (!watched || before?.row.armed_at !== row.armed_at) continue;
      for (const [pk, known] of before.watched?.devices ?? [])
        if (known.at > (watched.devices.get(pk)?.at ?? 0)) watched.devices.set(pk, known);
    }
    this.#channels = channels;
    this.#alerts = alerts;
  }

  #armedAt(alertId: number): number | undefined {
    const row = this.#alerts.get(alertId)?.row;
    return row && Date.parse(row.armed_at);
  }

  /** Applies state changes from another process or a timer. */
  #hear(text: string): void {
    // A read in progress may return older states, so the text is applied again after it.
    if (this.#reading.isRunning) this.#heard.push(text);
    this.#apply(text);
  }

  #apply(text: string): void {
    for (const word of text.split(' ')) {
      const [alertId, devicePk, armedAt, state, newsAt, at] = word.split(':');
      const alert = this.#alerts.get(Number(alertId));
      // A state of another condition says nothing about this one.
      if (!alert || Date.parse(alert.row.armed_at) !== Number(armedAt)) continue;
      if (alert.row.options.kind === 'silence') {
        const silent = this.#channels.get(alert.row.channel_pk)?.silent;
        if (silent && state === 'triggered') addTo(silent, Number(devicePk), alert.row.id);
        continue;
      }
      const known = alert.watched?.devices.get(Number(devicePk));
      const told: Remembered = { state: state as Remembered['state'], newsAt: Number(newsAt), at: Number(at) };
      // A later reading of this process is in progress; its outcome arrives as well.
      if (known && known.at > told.at) continue;
      if (!alert.watched || !alert.watch) continue;
      alert.watched.devices.set(Number(devicePk), told);
      alert.watch.doubt(Number(devicePk));
      const later = alert.watch.overtaken(Number(devicePk), alert.watched);
      if (later)
        this.#settleLater({
          alert_id: alert.row.id,
          device_pk: Number(devicePk),
          armedAt: alert.watched.armedAt,
          seen: { kind: 'reading', ...later, isMadeUp: true },
        });
    }
  }
}

/** Alerts as uplinks are checked against them, in their stored states. `earlier` keeps the newest readings of a previous version. */
function watchesOf(rows: readonly WatchedRow[], timeZone: string, earlier?: ReadonlyMap<number, ChannelWatch>) {
  const channels = new Map<number, ChannelWatch>();
  const alerts = new Map<number, KnownAlert>();
  for (const row of rows) {
    const channel = channels.get(row.channel_pk) ?? { attributes: new Map(), silent: new Map() };
    channels.set(row.channel_pk, channel);
    const { options } = row;
    if (options.kind === 'silence') {
      for (const { device_pk, state } of row.states) if (state === 'triggered') addTo(channel.silent, device_pk, row.id);
      alerts.set(row.id, { row, watched: undefined, watch: undefined });
      continue;
    }
    const before = earlier?.get(row.channel_pk)?.attributes.get(options.attribute);
    const watch = channel.attributes.get(options.attribute) ?? new AttributeWatch(timeZone, before);
    channel.attributes.set(options.attribute, watch);
    const watched: WatchedAlert = {
      id: row.id,
      options,
      rearm: row.rearm ?? 0,
      armedAt: Date.parse(row.armed_at),
      limit: limitOf(options),
      isUnknown: row.state === 'unknown',
      devices: new Map(row.states.map(({ device_pk, ...known }): [number, Remembered] => [device_pk, known])),
    };
    if (options.device_ids.length === 0) watch.everywhere.push(watched);
    else for (const device_id of options.device_ids) watch.byDevice.set(device_id, [...(watch.byDevice.get(device_id) ?? []), watched]);
    alerts.set(row.id, { row, watched, watch });
  }
  return { channels, alerts };
}

const addTo = (map: Map<number, Set<number>>, key: number, value: number) => void map.set(key, (map.get(key) ?? new Set()).add(value));

/** True when the same attribute occurs again in the message with a time that is not earlier. */
function isFollowed(points: readonly Point[], place: number): boolean {
  const { name, at } = points[place] as Point;
  for (let other = 0; other < points.length; other++) {
    const point = points[other] as Point;
    if (other === place || point.name !== name) continue;
    const [mine, theirs] = [at ?? Number.POSITIVE_INFINITY, point.at ?? Number.POSITIVE_INFINITY];
    if (theirs > mine || (theirs === mine && other > place)) return true;
  }
  return false;
}
