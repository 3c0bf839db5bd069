import type { ReportDownlinks } from '../networks/downlinks.ts';
import type { Services } from '../platform/context.ts';
import { holdLease, releaseLeases } from '../platform/jobs/lease.ts';
import { listen } from '../platform/jobs/listen.ts';
import { Holder } from './holder.ts';
import { inboxNotification } from './inbox.store.ts';
import { listBindings, listNetworkRows, type NetworkRow } from './network-servers.store.ts';
import type { Receiver } from './receiver.ts';

export interface ManagerOptions {
  processId: string;
  receiver: Receiver;
  report: ReportDownlinks;
  tickMs?: number;
  backoffMs?: { first: number; most: number };
}

const networksNotification = 'telltale_networks';
const leaseSeconds = 15;

/** The networks that this process could hold; the lease decides which process holds each of them. */
export class NetworkManager {
  readonly #services: Services;
  readonly #options: Required<ManagerOptions>;
  readonly #held = new Map<number, { holder: Holder; until: number }>();
  readonly #listener: { stop(): Promise<void> };
  readonly #timer: NodeJS.Timeout;
  readonly #listeners = new Set<() => void>();
  #rows = new Map<number, NetworkRow>();
  #bindings = new Map<number, { network_id: number; application_id: string | null }>();
  #work: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(services: Services, { tickMs = 2000, backoffMs = { first: 1000, most: 60_000 }, ...options }: ManagerOptions) {
    this.#services = services;
    this.#options = { ...options, tickMs, backoffMs };
    const look = () => this.#look();
    const onInbox = (id: string) => this.#held.get(Number(id))?.holder.drain();
    this.#listener = listen(services.databaseUrl, { [networksNotification]: look, [inboxNotification]: onInbox }, look, services.log);
    this.#timer = setInterval(look, tickMs);
    look();
  }

  /** The network of a channel as of the last look; undefined for channels without one. */
  networkOf(channelPk: number): { network: NetworkRow; application_id: string | null } | undefined {
    const binding = this.#bindings.get(channelPk);
    const network = binding && this.#rows.get(binding.network_id);
    return network && { network, application_id: binding.application_id };
  }

  /** Called when a connection of this process has come back, or settings have changed. */
  onReachable(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #look(): void {
    this.#work = this.#work
      .then(() => (this.#isStopped ? undefined : this.#tick()))
      .catch((error: Error) => this.#services.log.warn({ err: error.message }, 'networks could not be looked at'));
  }

  async #tick(): Promise<void> {
    const { db } = this.#services;
    await this.#dropExpired();
    const rows = await listNetworkRows(db);
    const before = this.#rows;
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    const bindings = new Map((await listBindings(db)).map(({ channel_pk, ...binding }) => [channel_pk, binding]));
    const hasNewBinding = [...bindings.keys()].some((pk) => !this.#bindings.has(pk));
    this.#bindings = bindings;
    const wanted = rows.filter(({ is_disabled }) => !is_disabled);
    for (const [id, { holder }] of this.#held)
      if (!wanted.some((row) => row.id === id && row.version === holder.version)) await this.#letGo(id);
    for (const row of wanted) {
      const until = Date.now() + leaseSeconds * 1000;
      if (!(await holdLease(db, `network:${row.id}`, this.#options.processId, leaseSeconds))) {
        await this.#letGo(row.id);
        continue;
      }
      const held = this.#held.get(row.id);
      if (held) held.until = until;
      else this.#held.set(row.id, { holder: this.#hold(row), until });
    }
    for (const [id, { holder }] of this.#held)
      await holder
        .upkeep()
        .catch((err: Error) => this.#services.log.warn({ err: err.message, network: id }, 'a network could not be looked after'));
    if (hasNewBinding || wanted.some(({ id, version }) => before.get(id)?.version !== version)) this.#tellReachable();
  }

  #hold(row: NetworkRow): Holder {
    const { receiver, report, backoffMs } = this.#options;
    return new Holder(this.#services, row, { receiver, report, backoffMs, onConnected: () => this.#tellReachable() });
  }

  #tellReachable(): void {
    for (const tell of this.#listeners) tell();
  }

  /** A lease that could not be renewed in time may belong to another process by now. */
  async #dropExpired(): Promise<void> {
    for (const [id, { until }] of this.#held) if (until < Date.now()) await this.#letGo(id);
  }

  async #letGo(id: number): Promise<void> {
    const held = this.#held.get(id);
    this.#held.delete(id);
    await held?.holder.stop();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#listener.stop();
    await this.#work;
    for (const id of [...this.#held.keys()]) await this.#letGo(id);
    await releaseLeases(this.#services.db, this.#options.processId, 'network:').catch(() => {});
  }
}
