const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
/** Sums of fractions differ from written decimals in their last digits. */
const tolerance = 1e-9;

const isNear = (one: number, other: number) => Math.abs(one - other) <= tolerance * Math.max(1, Math.abs(one), Math.abs(other));

/** True when a decoder returned the expected data; compared as JSON, without regard to the order of members. */
export function isSameData(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return isNear(one, other);
  if (!isObject(one) || !isObject(other)) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => Object.hasOwn(other, key) && isSameData(one[key], other[key]));
}
