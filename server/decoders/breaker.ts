import { breakerLimits } from '@telltale/domain/decoders/limits.ts';

/** iot-behaviour 4.3: counts the time-outs of decoders; too many within a minute open the circuit. */
export class Breaker {
  readonly #timeouts = new Map<string, number[]>();

  /** True when this time-out is one too many. */
  isTooMuch(key: string, now = Date.now()): boolean {
    const recent = (this.#timeouts.get(key) ?? []).filter((at) => now - at < breakerLimits.withinMs);
    recent.push(now);
    if (recent.length < breakerLimits.timeouts) {
      this.#timeouts.set(key, recent);
      return false;
    }
    this.#timeouts.delete(key);
    return true;
  }
}
