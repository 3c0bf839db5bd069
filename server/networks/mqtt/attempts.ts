/** design 8: failed sign-ins by address and user name, and by address alone, so that one bad device does not lock out its fleet. */
const perName = 20;
const perAddress = 1000;
/** iot-behaviour 1.4. */
const violationsAllowed = 2;
const windowMs = 60_000;
const mostRemembered = 50_000;
/** User names come from outside and may be long. */
const rememberedLength = 100;

interface Count {
  count: number;
  until: number;
}

/** Counts within a minute that starts with the first attempt; reaching the limit locks the sender out for a minute from then on. */
class Counter {
  readonly #most: number;
  /** Counts in two halves: the older one is dropped as a whole, which costs nothing however large it is. */
  #counts = new Map<string, Count>();
  #older = new Map<string, Count>();

  constructor(most: number) {
    this.#most = most;
  }

  add(key: string, now: number): void {
    const known = this.#find(key, now) ?? { count: 0, until: now + windowMs };
    if (++known.count === this.#most) known.until = now + windowMs;
    if (this.#counts.size >= mostRemembered) [this.#older, this.#counts] = [this.#counts, new Map()];
    this.#counts.set(key, known);
  }

  isReached(key: string, now: number): boolean {
    return (this.#find(key, now)?.count ?? 0) >= this.#most;
  }

  #find(key: string, now: number): Count | undefined {
    const known = this.#counts.get(key) ?? this.#older.get(key);
    return known && known.until > now ? known : undefined;
  }
}

const nameKey = (address: string, username: string) => `${address} ${username.slice(0, rememberedLength)}`;

export class Attempts {
  readonly #byName = new Counter(perName);
  readonly #byAddress = new Counter(perAddress);
  readonly #violations = new Counter(violationsAllowed + 1);

  isLockedOut(address: string, username: string, now = Date.now()): boolean {
    return this.#byName.isReached(nameKey(address, username), now) || this.isAddressLockedOut(address, now);
  }

  isAddressLockedOut(address: string, now = Date.now()): boolean {
    return this.#byAddress.isReached(address, now);
  }

  failed(address: string, username: string, now = Date.now()): void {
    this.#byName.add(nameKey(address, username), now);
    this.#byAddress.add(address, now);
  }

  /** Counts a forbidden publish: the third one within a minute locks the sender out for a minute. */
  trespassed(scope: string, now = Date.now()): void {
    this.#violations.add(scope, now);
  }

  isBlocked(scope: string, now = Date.now()): boolean {
    return this.#violations.isReached(scope, now);
  }
}
