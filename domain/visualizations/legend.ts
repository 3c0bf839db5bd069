/**
 * visualizations 5.8: which series are hidden after a click on one of them in the legend: it is hidden or shown. Isolated, it is shown alone,
 * and all come back the next time.
 */
export function hiddenAfterClick(
  keys: readonly string[],
  hidden: ReadonlySet<string>,
  key: string,
  isIsolated: boolean,
): ReadonlySet<string> {
  if (!isIsolated) return hidden.has(key) ? new Set([...hidden].filter((one) => one !== key)) : new Set([...hidden, key]);
  const others = keys.filter((one) => one !== key);
  const isAlone = !hidden.has(key) && others.every((one) => hidden.has(one));
  return new Set(isAlone ? [] : others);
}
