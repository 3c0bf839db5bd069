/**
 * Which series are hidden after a click on one of them in the legend: it is shown alone, and all come back with the next click.
 * A toggle hides or shows just this one.
 */
export function hiddenAfterClick(
  keys: readonly string[],
  hidden: ReadonlySet<string>,
  key: string,
  isToggle: boolean,
): ReadonlySet<string> {
  if (isToggle) return hidden.has(key) ? new Set([...hidden].filter((one) => one !== key)) : new Set([...hidden, key]);
  const others = keys.filter((one) => one !== key);
  const isAlone = !hidden.has(key) && others.every((one) => hidden.has(one));
  return new Set(isAlone ? [] : others);
}
