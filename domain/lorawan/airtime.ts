export const spreadingFactors = [7, 8, 9, 10, 11, 12] as const;
export const bandwidthsKhz = [125, 250, 500] as const;

export interface Transmission {
  /** Length of the application payload; LoRaWAN adds 13 bytes of header, port and integrity code. */
  bytes: number;
  sf: number;
  bandwidth_khz: number;
  /** 1 for 4/5 to 4 for 4/8. */
  coding_rate: number;
}

const macBytes = 13;
const preambleSymbols = 12.25;
/** Low-data-rate optimisation is on where a symbol takes longer than this (design 8.1). */
const optimisedFromMs = 16;

/** Milliseconds on air by the formula of the LoRa modem, with explicit header and CRC (iot-behaviour 2.5). */
export function airtimeMs({ bytes, sf, bandwidth_khz, coding_rate }: Transmission): number {
  const symbolMs = 2 ** sf / bandwidth_khz;
  const optimised = symbolMs > optimisedFromMs ? 1 : 0;
  const length = macBytes + bytes;
  const blocks = Math.ceil((8 * length - 4 * sf + 44) / (4 * (sf - 2 * optimised)));
  const symbols = preambleSymbols + 8 + Math.max(blocks * (coding_rate + 4), 0);
  return symbols * symbolMs;
}

const hourMs = 3_600_000;

/** How many such transmissions an hour has room for at a duty cycle of one percent. */
export const perHourAtOnePercent = (airtime_ms: number): number => Math.floor((hourMs * 0.01) / airtime_ms);

/** The part of an hour, in percent, that so many transmissions take. */
export const dutyCyclePercent = (airtime_ms: number, perHour: number): number => ((airtime_ms * perHour) / hourMs) * 100;

/** Regional rules of EU868 and the like. */
export const allowedPercent = 1;

/**
 * The share of an hour, in percent, that a schedule keeps a gateway sending at the slowest data rate (SF12, 125 kHz); null for one that
 * does not repeat. `next` are its next runs as ISO times.
 */
export function scheduleDutyPercent({ bytes, devices, next }: { bytes: number; devices: number; next: readonly string[] }): number | null {
  const times = next.map((at) => Date.parse(at));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  if (times.length < 2 || last <= first) return null;
  const perHour = ((times.length - 1) * hourMs) / (last - first);
  return dutyCyclePercent(airtimeMs({ bytes, sf: 12, bandwidth_khz: 125, coding_rate: 1 }), perHour * devices);
}
