import { isoDateTime } from '@telltale/domain/results/times.ts';

const dateTime = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?( ?(?:Z|[+-]\d{2}:?\d{2}))?$/;

/** A text that is a moment as ISO 8601, whether a `T` or a blank parts its day from its time; undefined for any other text. */
export function dateTimeOf(text: string): string | undefined {
  const [, day, minutes, seconds = ':00', zone = ''] = dateTime.exec(text) ?? [];
  return day === undefined ? undefined : isoDateTime(`${day}T${minutes}${seconds}${zone}`);
}
