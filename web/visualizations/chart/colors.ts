import { mixed } from '../echarts/chartColors.ts';
import { category10, namedColors, tableau10, viridis } from '../palettes.ts';

/** visualizations 2.8: `Redash` is the stored name of the product's default palette, which here is the accessible one. */
export const productScheme = 'Redash';
const classic = 'Classic';

const schemes: Readonly<Record<string, readonly string[]>> = {
  [classic]: Object.values(namedColors),
  Viridis: viridis,
  'Tableau 10': tableau10,
  'D3 Category 10': category10,
};
export const schemeNames: readonly [value: string, label: string][] = [
  [productScheme, 'Standard (colour-blind safe)'],
  ...Object.keys(schemes).map((name): [string, string] => [name, name]),
];

const isContinuous = (scheme: string): boolean => scheme === 'Viridis';

/** Discrete palettes repeat; a continuous one is spread over the number of series. */
export function automaticColor(scheme: string, at: number, count: number, product: readonly string[]): string {
  const colors = Object.hasOwn(schemes, scheme) ? (schemes[scheme] ?? product) : product;
  const spread = isContinuous(scheme) && colors.length > count;
  const place = spread ? Math.round((at * (colors.length - 1)) / Math.max(1, count - 1)) : at % colors.length;
  return colors[place] ?? '#868E96';
}

const ramp = (text: string): readonly string[] => text.split(' ').map((digits) => `#${digits}`);

/** visualizations 5.11, from low to high. */
export const heatSchemes: Readonly<Record<string, readonly string[]>> = {
  Blackbody: ramp('000000 e60000 e6d200 ffffff a0c8ff'),
  Bluered: ramp('0000ff ff0000'),
  Blues: ramp('f7fbff deebf7 c6dbef 9ecae1 6baed6 4292c6 2171b5 08519c 08306b'),
  Earth: ramp('000082 00b4b4 28d228 e6e632 784614 ffffff'),
  Electric: ramp('000000 1e0064 780064 a05a00 e6c800 fffadc'),
  Greens: ramp('f7fcf5 e5f5e0 c7e9c0 a1d99b 74c476 41ab5d 238b45 006d2c 00441b'),
  Greys: ramp('ffffff 000000'),
  Hot: ramp('000000 e60000 ffd200 ffffff'),
  Jet: ramp('000083 003caa 05ffff ffff00 fa0000 800000'),
  Picnic: ramp('0000ff 3399ff 66ccff 99ccff ccccff ffffff ffccff ff99ff ff66cc ff6666 ff0000'),
  Portland: ramp('0c3383 0a88ba f2d338 f28f38 d91e1e'),
  Rainbow: ramp('96005a 0000c8 0019ff 0098ff 2cff96 97ff00 ffea00 ff6f00 ff0000'),
  RdBu: ramp('050aac 6a89f7 bebebe dcaa84 e6915a b20a1c'),
  Reds: ramp('dcdcdc f5c39d f5a069 b20a1c'),
  Viridis: viridis,
  YlGnBu: ramp('081d58 253494 225ea8 1d91c0 41b6c4 7fcdbb c7e9b4 edf8d9 ffffd9'),
  YlOrRd: ramp('800026 bd0026 e31a1c fc4e2a fd8d3c feb24c fed976 ffeda0 ffffcc'),
};
export const customHeat = 'Custom...';
export const heatDefaults = { min: '#356AFF', max: '#E92827' };
const builtIn = ramp('356aff 4a7aff 5d87ff 7398ff fb8c8c ec6463 ec4949 e92827');

export function heatColors(scheme: string | undefined, min: string | undefined, max: string | undefined): readonly string[] {
  if (scheme === customHeat) return [min ?? heatDefaults.min, max ?? heatDefaults.max];
  return scheme !== undefined && Object.hasOwn(heatSchemes, scheme) ? (heatSchemes[scheme] ?? builtIn) : builtIn;
}

/** The colour at `part` from 0 to 1. */
export function colorAlong(colors: readonly string[], part: number): string {
  const place = Math.min(Math.max(part, 0), 1) * (colors.length - 1);
  const at = Math.min(colors.length - 2, Math.floor(place));
  return at < 0 ? (colors[0] ?? '#ffffff') : mixed(colors[at] ?? '#ffffff', colors[at + 1] ?? '#ffffff', place - at);
}
