/** visualizations 4.5: "Search A, B and C...", "Search A, B, C and 2 others...". */
export function searchPlaceholder(titles: readonly string[]): string {
  const [first, second, third] = titles;
  if (titles.length > 3) {
    const others = titles.length - 3;
    return `Search ${first}, ${second}, ${third} and ${others} ${others === 1 ? 'other' : 'others'}...`;
  }
  const last = titles.at(-1);
  return titles.length > 1 ? `Search ${titles.slice(0, -1).join(', ')} and ${last}...` : `Search ${last}...`;
}
