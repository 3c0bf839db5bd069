/** Three example sites with 60 devices. Values follow the hour; `day` is the difference between night and afternoon. */

export interface Attribute {
  name: string;
  unit: string | null;
  mean: number;
  day: number;
  noise: number;
  least?: number;
  digits: number;
}

export interface DemoDevice {
  device_id: string;
  name: string;
  /** Added to the mean of the first attribute. */
  offset: number;
  /** When its day begins, in radians. */
  phase: number;
  position?: { latitude: number; longitude: number };
}

export interface Site {
  channel_id: string;
  channel_name: string;
  kind: 'simulated' | 'mqtt';
  attributes: readonly Attribute[];
  devices: readonly DemoDevice[];
  /** Seconds between two reports. */
  seconds: number;
  /** How much the days differ, as a part of the swing; what the simulated network sends has no weather. */
  weather: number;
}

const usualPhase = -2;
const rooms = ['Freezer hall A', 'Freezer hall B', 'Chilled dock', 'Blast freezer', 'Loading bay'];
const places = ['door side', 'north wall', 'south wall', 'ceiling'];
/** Devices of the simulated network have the names sim-01 …, and are identified by their DevEUI. */
const coldDevices = rooms.flatMap((room, at) =>
  places.map((place, index) => ({
    device_id: `sim-${String(at * places.length + index + 1).padStart(2, '0')}`,
    name: `${room}, ${place}`,
    offset: 0,
    // As the simulated sensors do it, so that the history goes on where they begin.
    phase: (at * places.length + index) * 1.7,
  })),
);

const crops = ['Tomatoes', 'Peppers', 'Cucumbers', 'Basil', 'Strawberries'];
const beds = crops.flatMap((crop, at) =>
  [1, 2, 3, 4].map((row) => ({
    device_id: `bed-${at * 4 + row}`,
    name: `${crop}, row ${row}`,
    offset: 2 * (at - 2) + (row % 3) / 2,
    phase: usualPhase - at * 0.3,
  })),
);

const streets: readonly [string, number, number][] = [
  ['Alexanderplatz', 52.5219, 13.4132],
  ['Brandenburger Tor', 52.5163, 13.3777],
  ['Checkpoint Charlie', 52.5075, 13.3904],
  ['Hermannplatz', 52.4869, 13.4244],
  ['Karl-Marx-Allee', 52.5178, 13.4359],
  ['Kottbusser Tor', 52.4991, 13.4181],
  ['Mauerpark', 52.5413, 13.4023],
  ['Messe Nord', 52.5079, 13.2829],
  ['Oberbaumbrücke', 52.5019, 13.4457],
  ['Olympiastadion', 52.5147, 13.2395],
  ['Ostkreuz', 52.5031, 13.4694],
  ['Potsdamer Platz', 52.5096, 13.3759],
  ['Rosenthaler Platz', 52.5298, 13.4012],
  ['Schloss Charlottenburg', 52.5209, 13.2957],
  ['Schönhauser Allee', 52.5494, 13.4137],
  ['Südkreuz', 52.4754, 13.3654],
  ['Tempelhofer Feld', 52.4731, 13.4036],
  ['Tiergarten', 52.5145, 13.3501],
  ['Wedding', 52.5427, 13.366],
  ['Zoologischer Garten', 52.5072, 13.3325],
];

const coldChain: Site = {
  channel_id: 'cold-chain',
  channel_name: 'Cold-chain warehouse',
  kind: 'simulated',
  seconds: 60,
  weather: 0,
  attributes: [
    { name: 'temperature', unit: '°C', mean: -21, day: 2.8, noise: 0.4, digits: 2 },
    { name: 'humidity', unit: '%', mean: 52, day: -9, noise: 1.2, digits: 1 },
    { name: 'battery', unit: 'V', mean: 3.58, day: 0, noise: 0.01, digits: 3 },
  ],
  devices: coldDevices,
};

const greenhouse: Site = {
  channel_id: 'greenhouse',
  channel_name: 'Greenhouse',
  kind: 'mqtt',
  seconds: 20,
  weather: 0.35,
  attributes: [
    { name: 'soil_moisture', unit: '%', mean: 41, day: -4, noise: 1, least: 0, digits: 1 },
    { name: 'air_temperature', unit: '°C', mean: 23, day: 5, noise: 0.5, digits: 1 },
    { name: 'light', unit: 'lx', mean: 9000, day: 9000, noise: 400, least: 0, digits: 0 },
  ],
  devices: beds,
};

const airQuality: Site = {
  channel_id: 'air-quality',
  channel_name: 'City air quality',
  kind: 'mqtt',
  seconds: 30,
  weather: 0.5,
  attributes: [
    { name: 'pm25', unit: 'µg/m³', mean: 14, day: 6, noise: 2, least: 0, digits: 1 },
    { name: 'no2', unit: 'µg/m³', mean: 27, day: 11, noise: 3, least: 0, digits: 1 },
    { name: 'noise_level', unit: 'dB', mean: 58, day: 8, noise: 2, digits: 1 },
  ],
  devices: streets.map(([name, latitude, longitude], at) => ({
    device_id: `air-${String(at + 1).padStart(2, '0')}`,
    name,
    offset: (at * 7) % 9,
    phase: usualPhase - (at % 5) * 0.15,
    position: { latitude, longitude },
  })),
};

export const sites = [coldChain, greenhouse, airQuality] as const;

/** Days come in spells of about five; the same in SQL (`history.ts`). */
const spellSeconds = 4.7 * 86_400;

/** The value of an attribute at a moment; the same for the history in SQL (`history.ts`) and for what is sent live. */
export function valueAt(
  { mean, day, noise, least, digits }: Attribute,
  weather: number,
  { offset, phase }: { offset: number; phase: number },
  seconds: number,
): number {
  const turn = (at: number, period: number) => Math.sin((at / period) * 2 * Math.PI);
  const swing = day * (Math.sin((seconds / 86_400) * 2 * Math.PI + phase) + weather * turn(seconds, spellSeconds));
  const value = mean + offset + swing + noise * (0.5 * Math.sin(seconds / 613 + phase * 9) + Math.random() - 0.5);
  return Number(Math.max(least ?? Number.NEGATIVE_INFINITY, value).toFixed(digits));
}
