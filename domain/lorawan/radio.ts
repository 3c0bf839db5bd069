import type { Point } from '../uplinks/record.ts';

/** A gateway that received an uplink. */
export interface HeardBy {
  gateway_id: string;
  rssi: number | null;
  snr: number | null;
  latitude: number | null;
  longitude: number | null;
  /** Facts that some networks report beside these, each where it is known: they are kept with the message (iot-behaviour 2.5). */
  eui?: string;
  channel_rssi?: number;
  channel_index?: number;
  /** Metres. */
  altitude?: number;
}

/** The radio facts of an uplink, as the live record shows them (iot-behaviour 1.11). Absent facts are null. */
export interface Radio {
  rssi: number | null;
  snr: number | null;
  sf: number | null;
  bw: number | null;
  frequency: number | null;
  gateway: string | null;
  gateways: number | null;
  airtime_ms: number | null;
  dr: number | null;
}

export const noRadio: Radio = {
  rssi: null,
  snr: null,
  sf: null,
  bw: null,
  frequency: null,
  gateway: null,
  gateways: null,
  airtime_ms: null,
  dr: null,
};

/** iot-behaviour 2.5: the levels of radio facts that become points. */
export const metadataLevels = ['none', 'basic', 'full'] as const;
export type MetadataLevel = (typeof metadataLevels)[number];

export interface FrameFacts {
  radio: Radio;
  fport: number | null;
  fcnt: number | null;
  /** Packet error rate, 0 to 1, as the network counts it. */
  per: number | null;
  /** Uplinks that were lost since the one before this, by the frame counter. */
  lost: number | null;
  /** Percent. */
  battery: number | null;
}

type Facts = Record<string, number | string | null>;

/** The points that a channel of this level stores for an uplink, all at the time `at`. */
export function radioPoints(level: MetadataLevel, facts: FrameFacts, at: number | null): Point[] {
  if (level === 'none') return [];
  const { radio, fport, fcnt, per, lost, battery } = facts;
  const basic: Facts = { rssi: radio.rssi, snr: radio.snr, sf: radio.sf, fcnt, battery };
  const full: Facts = {
    frequency: radio.frequency,
    bw: radio.bw,
    dr: radio.dr,
    fport,
    gateways: radio.gateways,
    airtime_ms: radio.airtime_ms,
    per,
    lost,
    gateway: radio.gateway,
  };
  return builtInPoints('lora', level === 'full' ? { ...basic, ...full } : basic, at);
}

/** Points that Telltale writes itself, under a prefix no payload can claim. */
function builtInPoints(prefix: 'lora' | 'sys', facts: Facts, at: number | null): Point[] {
  return Object.entries(facts).flatMap(([name, value]): Point[] => {
    if (value === null) return [];
    const isText = typeof value === 'string';
    const reading = isText ? ({ kind: 's', value: null, text: value } as const) : ({ kind: 'n', value, text: null } as const);
    return [{ name: `${prefix}.${name}`, ...reading, at, entry: 0, unit: units[name] ?? null }];
  });
}

const units: Record<string, string> = {
  rssi: 'dBm',
  snr: 'dB',
  frequency: 'Hz',
  bw: 'Hz',
  airtime_ms: 'ms',
  battery: '%',
  margin: 'dB',
};

/** iot-behaviour 2.5: the best gateway has the highest snr, then the highest rssi. */
export function bestGateway<G extends Pick<HeardBy, 'snr' | 'rssi'>>(heard: readonly G[]): G | undefined {
  const worst = Number.NEGATIVE_INFINITY;
  return [...heard].sort((a, b) => (b.snr ?? worst) - (a.snr ?? worst) || (b.rssi ?? worst) - (a.rssi ?? worst))[0];
}
