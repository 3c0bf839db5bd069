/** D2 and design 8.1: cut by what people count as one character, so that no emoji or accent is broken in two; 0 cuts nothing. */
export function shortTitle(title: string, longest: number): string {
  if (longest === 0) return title;
  const characters = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(title)].map(({ segment }) => segment);
  return characters.length <= longest ? title : `${characters.slice(0, longest).join('').trimEnd()}…`;
}

/** screens 9.4: the visualization's name is shown only when a user gave it one. */
export const widgetTitle = (visualization: { name: string }, query: { name: string }, defaultName: string): string =>
  visualization.name && visualization.name !== defaultName ? `${visualization.name} – ${query.name}` : query.name;
