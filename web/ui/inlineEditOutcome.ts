/** Screens 1.10: the trimmed value to save; undefined when it is unchanged or an ignored blank. */
export function inlineEditOutcome(draft: string, value: string, ignoreBlanks: boolean): string | null {
  const next = draft.trim();
  if (next === value || (next === '' && ignoreBlanks)) return null;
  return next;
}
