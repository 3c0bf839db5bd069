/** design 8: failed sign-ins by address and user name, and by address alone, so that one bad device does not lock out its fleet. */
const perName = 20;
const perAddress = 1000;
const windowMs = 60_000;
/** iot-behaviour 1.4. */
const violationsAllowed = 2;
const mostRemembered = 50_000;

/** Counts within a window that starts with the first one. */
class Counter {
  readonly #counts = new Map<string, { count: number; until: number }>();

  add(key: string, now: number): number {
    const known = this.#counts.get(key);
    if (known && known.until > now) return ++known.count;
    if (this.#counts.size >= mostRemembered) this.#counts.clear();
    this.#counts.set(key, { count: 1, until: now + windowMs });
    return 1;
  }

  get(key: string, now: number): number {
    const known = this.#counts.get(key);
    return known && known.until > now ? known.count : 0;
  }
}

export class Attempts {
  readonly #failures = new Counter();
  readonly #violations = new Counter();

  isLockedOut(address: string, username: string, now = Date.now()): boolean {
    return this.#failures.get(`${address} ${username}`, now) >= perName || this.isAddressLockedOut(address, now);
  }

  isAddressLockedOut(address: string, now = Date.now()): boolean {
    return this.#failures.get(address, now) >= perAddress;
  }

  failed(address: string, username: string, now = Date.now()): void {
    this.#failures.add(`${address} ${username}`, now);
    this.#failures.add(address, now);
  }

  /** Published where it may not: the third time within a minute it has to stay away for one. */
  trespassed(scope: string, now = Date.now()): void {
    this.#violations.add(scope, now);
  }

  isBlocked(scope: string, now = Date.now()): boolean {
    return this.#violations.get(scope, now) > violationsAllowed;
  }
}
