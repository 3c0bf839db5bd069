import type { LiveSocket } from './live-socket.ts';
import type { UplinkWatch } from './uplink-watch.ts';

/** The watches of all sockets, found by device and by socket. */
export class UplinkWatches {
  readonly #byDevice = new Map<number, Set<UplinkWatch>>();
  readonly #bySocket = new Map<LiveSocket, Set<UplinkWatch>>();

  add(watch: UplinkWatch): void {
    this.#byDevice.set(watch.pk, (this.#byDevice.get(watch.pk) ?? new Set()).add(watch));
    this.#bySocket.set(watch.socket, (this.#bySocket.get(watch.socket) ?? new Set()).add(watch));
  }

  remove(watch: UplinkWatch): void {
    removeFrom(this.#byDevice, watch.pk, watch);
    removeFrom(this.#bySocket, watch.socket, watch);
  }

  of(socket: LiveSocket): UplinkWatch[] {
    return [...(this.#bySocket.get(socket) ?? [])];
  }

  ofDevice(pk: number): UplinkWatch[] {
    return [...(this.#byDevice.get(pk) ?? [])];
  }

  hasDevice(pk: number): boolean {
    return this.#byDevice.has(pk);
  }

  devices(): number[] {
    return [...this.#byDevice.keys()];
  }
}

function removeFrom<Key>(groups: Map<Key, Set<UplinkWatch>>, key: Key, watch: UplinkWatch): void {
  const group = groups.get(key);
  group?.delete(watch);
  if (group?.size === 0) groups.delete(key);
}
