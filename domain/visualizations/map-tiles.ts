import { z } from 'zod';

/** An address on the web or of our own; without credentials, and without anything that browsers read differently. */
const address = /^(?:(?:https?:)?\/\/[\w.{}-]+(?::\d{1,5})?)?\/[^\s\\"'<>]*$/i;

/** An address with the places of a tile in it: `https://{s}.example.org/{z}/{x}/{y}.png`. */
export const isTileUrl = (url: string): boolean =>
  url.length <= 1000 && address.test(url) && ['{z}', '{x}', '{y}'].every((place) => url.replace('{-y}', '{y}').includes(place));

/** A provider of map tiles. The attribution is plain text. */
export const TileSource = z.object({
  name: z.string().trim().min(1, 'Name is required.').max(80),
  url: z.string().trim().refine(isTileUrl, 'The address needs {z}, {x} and {y}, and http or https.'),
  attribution: z.string().trim().max(300).default(''),
});
export type TileSource = z.output<typeof TileSource>;

const openStreetMap = '© OpenStreetMap contributors';

/** Complaint 45: existing services that need no key. An organisation has its own list; with an empty one no tiles are requested. */
export const commonTileSources: readonly TileSource[] = [
  { name: 'OpenStreetMap', url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png', attribution: openStreetMap },
  { name: 'OpenStreetMap DE', url: 'https://tile.openstreetmap.de/{z}/{x}/{y}.png', attribution: openStreetMap },
  { name: 'OpenStreetMap FR', url: 'https://{s}.tile.openstreetmap.fr/osmfr/{z}/{x}/{y}.png', attribution: `${openStreetMap}, OSM France` },
  {
    name: 'OpenStreetMap Hot',
    url: 'https://{s}.tile.openstreetmap.fr/hot/{z}/{x}/{y}.png',
    attribution: `${openStreetMap}, Humanitarian`,
  },
  {
    name: 'OpenTopoMap',
    url: 'https://{s}.tile.opentopomap.org/{z}/{x}/{y}.png',
    attribution: `${openStreetMap}, SRTM, OpenTopoMap (CC-BY-SA)`,
  },
];

/** visualizations 11: the address in every stored map that was never changed; it stands for the first source of the organisation. */
export const storedTileUrl = '//{s}.tile.openstreetmap.org/{z}/{x}/{y}.png';
/** The address of a map without pictures under it. */
export const noTileUrl = '';

/** Sources of the upstream product that are gone or need a key. */
const gone =
  /(^|\.)(tile\.stamen\.com|stamen-tiles[\w{}-]*\.a\.ssl\.fastly\.net|wmflabs\.org|openmapsurfer\.uni-hd\.de|korona\.geog\.uni-heidelberg\.de|thunderforest\.com)$/;

const plainUrl = (url: string) => url.replace(/^(https?:)?\/\//, '').replace(/^(\{s\}|[abc])\./, '');
const hostOf = (url: string) => plainUrl(url).split('/')[0] ?? '';
export const isGone = (url: string): boolean => gone.test(hostOf(url)) && !/[?&]apikey=\w/i.test(url);

/** The source for a stored address; null for none. */
export function tileSourceOf(stored: string, sources: readonly TileSource[]): TileSource | null {
  const [first] = sources;
  if (!first || stored === noTileUrl) return null;
  const known = sources.find(({ url }) => plainUrl(url) === plainUrl(stored));
  if (known) return known;
  if (plainUrl(stored) === plainUrl(storedTileUrl) || isGone(stored) || !isTileUrl(stored)) return first;
  return {
    name: 'Custom',
    url: stored,
    attribution: commonTileSources.find(({ url }) => plainUrl(url) === plainUrl(stored))?.attribution ?? '',
  };
}
