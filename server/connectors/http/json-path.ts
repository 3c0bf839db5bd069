/** True for an object from JSON or YAML, not for an array or one of our own values. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Looks up a path such as `a.b.0`; keys that contain dots work as well. Undefined when there is no value. */
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
