/** D2 and Q9. */
const longestWidgetTitle = 20;

/** Cut by what people count as one character, so that no emoji or accent is broken in two. */
export function shortTitle(title: string, longest = longestWidgetTitle): string {
  const characters = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(title)].map(({ segment }) => segment);
  return characters.length <= longest ? title : `${characters.slice(0, longest).join('').trimEnd()}…`;
}

/** screens 9.4: the visualization's name only when somebody gave it one of its own. */
export const widgetTitle = (visualization: { name: string }, query: { name: string }, defaultName: string): string =>
  visualization.name && visualization.name !== defaultName ? `${visualization.name} – ${query.name}` : query.name;
