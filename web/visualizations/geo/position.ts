import { numericValue } from '../numericValue.ts';

/** Degrees; the form of places in Leaflet and in stored MAP options. */
export interface Position {
  lat: number;
  lng: number;
}

/** An area of the world: south, west, north, east. */
export interface Extent {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** A latitude from a number or text; undefined for any other value. */
export const latitude = (value: unknown): number | undefined => {
  const number = numericValue(value);
  return number !== null && Math.abs(number) <= 90 ? number : undefined;
};

/** Some data use 0 to 360, which equals −180 to 180. */
export const longitude = (value: unknown): number | undefined => {
  const number = numericValue(value);
  if (number === null || Math.abs(number) > 360) return undefined;
  return number > 180 ? number - 360 : number < -180 ? number + 360 : number;
};

/** The northern end of the web's Mercator projection. */
const mostNorth = 85.0511287798066;

/** The place from 0 to 1 between the date lines, in tile coordinates. */
export const worldX = (lng: number): number => lng / 360 + 0.5;
export function worldY(lat: number): number {
  const sin = Math.sin((Math.max(-mostNorth, Math.min(mostNorth, lat)) * Math.PI) / 180);
  return 0.5 - (0.25 * Math.log((1 + sin) / (1 - sin))) / Math.PI;
}

/** Whether two views look the same. */
export function isSameExtent(a: Extent | null, b: Extent | null): boolean {
  if (!a || !b) return a === b;
  const size = Math.max(a.north - a.south, a.east - a.west, 1e-6);
  return (['south', 'west', 'north', 'east'] as const).every((side) => Math.abs(a[side] - b[side]) < size * 1e-4);
}

/** An extent; null for numbers outside of the world. */
export function extentOf(south: number, west: number, north: number, east: number): Extent | null {
  const isReal = [south, west, north, east].every(Number.isFinite);
  return isReal && Math.abs(south) <= 90 && Math.abs(north) <= 90 && Math.abs(west) <= 540 && Math.abs(east) <= 540
    ? { south: Math.min(south, north), west: Math.min(west, east), north: Math.max(south, north), east: Math.max(west, east) }
    : null;
}
