import type { Scalar } from '@telltale/domain/commands/command.ts';

/** The value of a typed threshold: numbers and booleans are sent as such, anything else as text. */
export function conditionValue(text: string): Scalar {
  const trimmed = text.trim();
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed)) return Number(trimmed);
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  return trimmed;
}

export const valueText = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
