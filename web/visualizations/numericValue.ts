/** The number that a value is or spells, else null: numeric text such as a large decimal counts; dates, blanks and Infinity do not. */
export function numericValue(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.trim() === '' || value.length > 400) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
