/** `10:200`: a sustained rate per second, and a burst. */
export interface Rate {
  sustained: number;
  burst: number;
}

interface Bucket {
  /** Tokens left; a negative number is a debt that has to be waited off. */
  tokens: number;
  at: number;
}

/** iot-behaviour 1.6, design 8: undefined when the rate is switched off with `0`. */
export function readRate(text: string | undefined, usual: Rate): Rate | undefined {
  if (text === undefined) return usual;
  if (text === '0') return undefined;
  const [sustained = 0, burst = 0] = text.split(':').map(Number);
  return { sustained, burst: Math.max(burst, 1) };
}

export const usualRates = { device: { sustained: 10, burst: 200 }, channel: { sustained: 1000, burst: 20_000 } };

/** Rate limits by key. Over-rate senders are slowed down, not dropped (0.2.3). */
export class Rates {
  readonly #rate: Rate | undefined;
  readonly #buckets = new Map<number, Bucket>();

  constructor(rate: Rate | undefined) {
    this.#rate = rate;
  }

  /** Takes a token, and returns how long the sender has to wait for its answer. */
  take(key: number, now: number): number {
    const rate = this.#rate;
    if (!rate) return 0;
    const bucket = this.#bucketOf(key, rate, now);
    bucket.tokens -= 1;
    return bucket.tokens >= 0 ? 0 : (-bucket.tokens / rate.sustained) * 1000;
  }

  /** Takes a token if there is one. */
  tryTake(key: number, now: number): boolean {
    const rate = this.#rate;
    if (!rate) return true;
    const bucket = this.#bucketOf(key, rate, now);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  #bucketOf(key: number, { sustained, burst }: Rate, now: number): Bucket {
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      if (this.#buckets.size > 100_000) this.#buckets.clear();
      bucket = { tokens: burst, at: now };
      this.#buckets.set(key, bucket);
    } else if (now > bucket.at) {
      bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * sustained);
      bucket.at = now;
    }
    return bucket;
  }
}
