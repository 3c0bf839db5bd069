import { lorawanKinds } from '@telltale/domain/channels/contract.ts';
import type { DeviceEntry } from '../networks/directory.ts';
import type { Downlink, DownlinkCarrier, SendResult } from '../networks/downlinks.ts';
import { LinkRefused } from '../networks/mqtt-link.ts';
import type { DownlinkStep, NetworkKind } from '../networks/network.ts';
import type { EndDevice } from '../networks/network-event.ts';
import type { Services } from '../platform/context.ts';
import { createOutgoingHttp, type OutgoingHttp } from '../platform/outgoing.ts';
import { findNetworkDevice } from './device-events.store.ts';
import type { NetworkManager } from './manager.ts';
import {
  clearSimulated,
  deleteHanded,
  insertHanded,
  listOpenAttempts,
  pushSimulated,
  setNetworkRef,
  simulatedQueue,
} from './network-downlinks.store.ts';
import { clearRefusal, type NetworkRow, writeRefusal } from './network-servers.store.ts';
import { kindOf, optionsOf } from './network-servers.ts';
import { Publishers } from './publishers.ts';

/** iot-behaviour 3.8: where a network only logs a bad downlink over MQTT, so long a silence means a failure. */
const silenceSeconds = 30;
const lorawanPorts = { least: 1, most: 223 };
const longestPauseMs = 60_000;

/** iot-behaviour 3.8: the page of the network shows this, until it accepts a downlink or its settings are saved. */
const refusedCredentials = 'The network refuses our credentials. Commands fail until a valid key or password is entered below and saved.';

/** Sends commands to devices behind networks. Any process may send; the process that holds the network receives its reports. */
export class NetworkCarrier implements DownlinkCarrier {
  readonly kinds = lorawanKinds;
  readonly #services: Services;
  readonly #manager: NetworkManager;
  readonly #publishers = new Publishers();
  readonly #http: OutgoingHttp;
  /** The number of consecutive failures to reach each network. */
  readonly #failures = new Map<number, number>();
  /** Networks that refused our credentials the last time. */
  readonly #refusing = new Set<number>();

  constructor(services: Services, manager: NetworkManager) {
    this.#services = services;
    this.#manager = manager;
    this.#http = createOutgoingHttp({ allowPrivate: services.config.allowPrivate });
  }

  reaches({ channel }: Pick<DeviceEntry, 'channel'>): boolean {
    const network = this.#manager.networkOf(channel.pk)?.network;
    return network !== undefined && !network.is_disabled;
  }

  onReachable(listener: (devicePk: number | 'all') => void): () => void {
    return this.#manager.onReachable(() => listener('all'));
  }

  async send(device: DeviceEntry, downlink: Downlink): Promise<SendResult> {
    const network = this.#manager.networkOf(device.channel.pk)?.network;
    if (!network) return { status: 'failed', reason: 'no_network' };
    if (network.is_disabled) return { status: 'later', reason: 'network_disabled' };
    const { fport, attempt_id } = downlink;
    if (fport < lorawanPorts.least || fport > lorawanPorts.most)
      return { status: 'failed', reason: `fport must be between ${lorawanPorts.least} and ${lorawanPorts.most}` };
    const [kind, options] = this.#settingsOf(network);
    const steps = kind.downlink(options, await this.#nameOf(device), downlink, this.#wayOf(network));
    if (typeof steps === 'string') return { status: 'failed', reason: steps };
    const { db } = this.#services;
    const isSilent = kind.isSilentOverMqtt && steps.some(({ via }) => via === 'mqtt');
    // The row is written before the handover, because the network may answer sooner than we write.
    const handed = { attempt_id, network_id: network.id, device_pk: device.pk, network_ref: null };
    await insertHanded(db, { ...handed, answerSeconds: isSilent ? silenceSeconds : null });
    const { ref, ...result } = await this.#take(network, device, steps);
    if (result.status !== 'queued') await deleteHanded(db, attempt_id);
    else if (ref) await setNetworkRef(db, attempt_id, ref);
    return result as SendResult;
  }

  /** iot-behaviour 3.2: an external queue can only be emptied as a whole, so only when it holds nothing else of ours. */
  async withdraw(device: DeviceEntry, attemptIds: readonly string[]): Promise<void> {
    const network = this.#manager.networkOf(device.channel.pk)?.network;
    if (!network) return;
    const { db, log } = this.#services;
    const [kind, options] = this.#settingsOf(network);
    if (kind.run) {
      const queue = simulatedQueue(db, network.id);
      for (const id of attemptIds) await queue.remove(id);
    } else {
      const others = (await listOpenAttempts(db, device.pk)).filter((id) => !attemptIds.includes(id));
      const steps =
        others.length > 0 ? 'other downlinks wait with it' : kind.clear(options, await this.#nameOf(device), this.#wayOf(network));
      const result = typeof steps === 'string' ? { status: 'failed', reason: steps } : await this.#take(network, device, steps);
      // The caller asks again later; a downlink that the network will not take back stays where it is.
      if (result.status === 'later') throw new Error(result.reason);
      if (result.status !== 'queued') log.info({ device: device.pk, result }, 'a downlink stays in the queue of its network');
    }
    for (const id of attemptIds) await deleteHanded(db, id);
  }

  #settingsOf(network: NetworkRow): [NetworkKind, Record<string, unknown>] {
    return [kindOf(network.type), optionsOf(this.#services.secrets, network)];
  }

  #wayOf({ downlink_url, downlink_key_sealed }: NetworkRow) {
    if (downlink_url === null) return undefined;
    return { base_url: downlink_url, api_key: downlink_key_sealed && this.#services.secrets.open(downlink_key_sealed) };
  }

  async #nameOf({ pk, device_id, dev_eui, device_name, channel }: DeviceEntry): Promise<EndDevice> {
    const named = await findNetworkDevice(this.#services.db, pk);
    return {
      device_id: named?.network_device_id ?? device_id,
      dev_eui,
      name: device_name,
      application_id: named?.application_id ?? this.#manager.networkOf(channel.pk)?.application_id ?? null,
    };
  }

  async #take(network: NetworkRow, device: DeviceEntry, steps: readonly DownlinkStep[]): Promise<SendResult & { ref?: string }> {
    const result = await this.#hand(network, device, steps);
    await this.#noteCredentials(network, result).catch((error: Error) =>
      this.#services.log.warn({ err: error.message, network: network.id }, 'whether a network accepts our credentials could not be noted'),
    );
    return result;
  }

  async #noteCredentials({ id, are_credentials_refused }: NetworkRow, result: SendResult): Promise<void> {
    const { db } = this.#services;
    if (result.status === 'failed' && result.reason === 'network_auth') {
      this.#refusing.add(id);
      await writeRefusal(db, id, refusedCredentials);
    } else if (result.status === 'queued' && (this.#refusing.has(id) || are_credentials_refused)) {
      await clearRefusal(db, id, refusedCredentials);
      this.#refusing.delete(id);
    }
  }

  async #hand(network: NetworkRow, device: DeviceEntry, steps: readonly DownlinkStep[]): Promise<SendResult & { ref?: string }> {
    try {
      let ref: string | undefined;
      for (const step of steps) {
        const answer = await this.#step(network, device, step);
        if (typeof answer === 'object') return answer;
        ref = answer ?? ref;
      }
      this.#failures.delete(network.id);
      return { status: 'queued', ...(ref === undefined ? {} : { ref }) };
    } catch (error) {
      if (error instanceof LinkRefused && error.isAuth) return { status: 'failed', reason: 'network_auth', raw: error.message };
      return this.#later(network.id, error instanceof Error ? error.message : String(error));
    }
  }

  /** iot-behaviour 3.8: 1, 2, 4 … 60 seconds; the attempt does not count. */
  #later(id: number, reason: string): SendResult {
    const failures = this.#failures.get(id) ?? 0;
    this.#failures.set(id, failures + 1);
    return { status: 'later', reason, afterMs: Math.min(longestPauseMs, 1000 * 2 ** Math.min(failures, 10)) };
  }

  /** Returns a fault, or the id that the network gave to the downlink. */
  async #step(network: NetworkRow, device: DeviceEntry, step: DownlinkStep): Promise<SendResult | string | undefined> {
    if (step.via === 'mqtt') {
      await this.#publishers.publish(network, this.#services.secrets, step);
      return undefined;
    }
    if (step.via === 'http') return this.#post(network, step);
    const { db } = this.#services;
    const device_id = step.item?.device_id ?? (await this.#nameOf(device)).device_id ?? '';
    if (step.mode === 'replace') await clearSimulated(db, network.id, device_id);
    if (step.item) await pushSimulated(db, network.id, step.item);
    return undefined;
  }

  async #post(
    network: NetworkRow,
    { method, url, headers, body }: DownlinkStep & { via: 'http' },
  ): Promise<SendResult | string | undefined> {
    const [, { api_address }] = this.#settingsOf(network);
    const answer = await this.#http.fetch(url, {
      method,
      headers,
      ...(body === null ? {} : { body }),
      signal: AbortSignal.timeout(15_000),
      maxBytes: 64 * 1024,
      // Whoever holds the secret of the webhook may name an address; only an administrator may name one in a private network.
      trusted: typeof api_address === 'string' && URL.parse(api_address)?.origin === URL.parse(url)?.origin,
    });
    const text = (await answer.text()).slice(0, 2000);
    const { status } = answer;
    if (status < 300) return idIn(text);
    if (status === 401 || status === 403) return { status: 'failed', reason: 'network_auth', raw: text };
    if (status === 429 || status === 406 || status >= 500) return this.#later(network.id, `the network answered with status ${status}`);
    return { status: 'failed', reason: `network_status_${status}`, raw: text };
  }

  stop(): void {
    this.#publishers.close();
  }
}

/** ChirpStack answers `{"id": "…"}` to what it has put into a queue. */
function idIn(text: string): string | undefined {
  try {
    const { id } = JSON.parse(text) as { id?: unknown };
    return typeof id === 'string' && id.length > 0 && id.length <= 100 ? id : undefined;
  } catch {
    return undefined;
  }
}
