/** An object that came out of JSON or YAML, not an array and not one of our own values. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** `a.b.0` into an answer; a key that has dots itself is found too. Undefined when there is nothing. */
export function findPath(value: unknown, path: string): unknown {
  if (isPlainObject(value) && Object.hasOwn(value, path)) return value[path];
  const [key = '', ...rest] = path.split('.');
  const inner = Array.isArray(value)
    ? value[/^\d+$/.test(key) ? Number(key) : -1]
    : isPlainObject(value) && Object.hasOwn(value, key)
      ? value[key]
      : undefined;
  return rest.length === 0 || inner === undefined ? inner : findPath(inner, rest.join('.'));
}
