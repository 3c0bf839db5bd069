import { airtimeMs } from '@telltale/domain/lorawan/airtime.ts';
import type { Radio } from '@telltale/domain/lorawan/radio.ts';
import { readTime } from '@telltale/domain/uplinks/times.ts';
import { Unreadable } from './network-event.ts';

/** Readers for JSON of other systems: a value of the wrong type counts as missing. */

export type Json = Record<string, unknown>;

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

export const isPresent = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isPresent) : []);

export const textOf = (value: unknown, longest = 256): string | null =>
  typeof value === 'string' && value !== '' && !value.includes('\0') ? value.slice(0, longest) : null;

/** 64-bit numbers come as text in proto3's JSON. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** A whole number from 0; a missing value is 0. */
export function countOf(value: unknown): number {
  const number = numberOf(value) ?? 0;
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
}

/** A port from 0 to 255; null for anything else. */
export function portOf(value: unknown): number | null {
  const port = numberOf(value);
  return port !== null && Number.isInteger(port) && port >= 0 && port <= 255 ? port : null;
}

export function timeOf(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  try {
    return readTime(value);
  } catch {
    return null;
  }
}

const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

export function bytesOf(value: unknown): Buffer {
  if (value === undefined || value === null || value === '') return Buffer.alloc(0);
  if (typeof value !== 'string' || !base64.test(value)) throw new Unreadable('The payload is not base64.');
  return Buffer.from(value, 'base64');
}

/** `4/5` or `CR_4_5`. */
export function codingRateOf(value: unknown): number | null {
  const found = /^(?:CR_)?4[/_]([5-8])$/.exec(textOf(value) ?? '');
  return found ? Number(found[1]) - 4 : null;
}

export function positionOf(value: unknown): { latitude: number; longitude: number } | null {
  const { latitude, longitude } = objectOf(value);
  // The mapping leaves out a zero.
  const place = { latitude: numberOf(latitude) ?? 0, longitude: numberOf(longitude) ?? 0 };
  const isNowhere = place.latitude === 0 && place.longitude === 0;
  return isNowhere || Math.abs(place.latitude) > 90 || Math.abs(place.longitude) > 180 ? null : place;
}

/** The members that are known. */
export const known = <T extends Record<string, unknown>>(facts: T) =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)) as { [K in keyof T]?: NonNullable<T[K]> };

/** iot-behaviour 2.5: the airtime is computed where the network does not report it. */
export function computedAirtime({ sf, bw }: Pick<Radio, 'sf' | 'bw'>, bytes: number, codingRate: number | null): number | null {
  if (sf === null || bw === null || bw <= 0 || sf < 5 || sf > 12) return null;
  return Math.round(airtimeMs({ bytes, sf, bandwidth_khz: bw / 1000, coding_rate: codingRate ?? 1 }) * 1000) / 1000;
}

export function parseObject(payload: Buffer | string): Json {
  let value: unknown;
  try {
    value = JSON.parse(payload.toString());
  } catch {
    throw new Unreadable('The message is not JSON.');
  }
  if (!isPresent(value)) throw new Unreadable('The message is not a JSON object.');
  return value;
}
