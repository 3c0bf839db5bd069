/** iot-behaviour 4.3, 4.2. */
export const decoderLimits = {
  scriptBytes: 65_536,
  /** Processor time of one call; then it is interrupted. */
  softMs: 50,
  /** A call that cannot be interrupted is ended together with its worker. */
  hardMs: 250,
  memoryBytes: 16 * 1024 * 1024,
  stackBytes: 256 * 1024,
  outputBytes: 65_536,
  logLines: 20,
  textLength: 200,
  warnings: 10,
  queue: 5000,
  examples: 50,
  versions: 100,
} as const;

/** iot-behaviour 4.3: so many time-outs within this time pause a decoder for this long. */
export const breakerLimits = { timeouts: 20, withinMs: 60_000, pauseMs: 5 * 60_000 } as const;
