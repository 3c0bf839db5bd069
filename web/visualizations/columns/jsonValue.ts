import { plainText } from '../cellValue.ts';

/** visualizations 4.7: the object or list in a cell; undefined for any other value, invalid JSON or a text that is too long. */
export function jsonOf(value: unknown, maxSize: number): object | undefined {
  if (typeof value === 'object' && value !== null) return plainText(value).length <= maxSize ? value : undefined;
  if (typeof value !== 'string' || value.length > maxSize || !/^\s*[[{]/.test(value)) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** "// 3 items", the comment beside a folded value. */
export function itemsComment(value: object): string {
  const count = Array.isArray(value) ? value.length : Object.keys(value).length;
  return `// ${count} ${count === 1 ? 'item' : 'items'}`;
}
