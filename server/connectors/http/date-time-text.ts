import { isoDateTime } from '@telltale/domain/results/times.ts';

const dateTime = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?( ?(?:Z|[+-]\d{2}:?\d{2}))?$/;

/** Converts a date and time to ISO 8601, with a `T` or a space between them; undefined for any other text. */
export function dateTimeOf(text: string): string | undefined {
  const [, day, minutes, seconds = ':00', zone = ''] = dateTime.exec(text) ?? [];
  return day === undefined ? undefined : isoDateTime(`${day}T${minutes}${seconds}${zone}`);
}
