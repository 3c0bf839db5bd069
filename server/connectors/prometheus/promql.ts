import { placeOf, QueryError } from '../connector.ts';

/** A query as the API expects it; `step` makes it a range query. */
export interface PromRequest {
  query: string;
  /** The start of the expression in the user's text; undefined when it was escaped. */
  offset: number | undefined;
  isRange: boolean;
  /** Other parameters: start, end, step, time, timeout … */
  parameters: Map<string, string>;
}

const known = 'start|end|step|time|timeout|limit|lookback_delta';
const boundary = new RegExp(`&(?=(?:${known})=)`);
const times = new Set(['start', 'end', 'time']);

/**
 * Parses upstream's form: a plain expression, or `query=…&start=…&end=…&step=…`. Only an `&` before a known name ends the expression, and a
 * `+` stays a plus, so that any expression can be written unchanged.
 */
export function readPromRequest(written: string, now = Date.now()): PromRequest {
  const from = written.length - written.trimStart().length;
  const text = written.trim();
  if (!text.startsWith('query=')) return { query: text, offset: from, isRange: false, parameters: new Map() };
  const [first = '', ...rest] = text.split(boundary);
  const raw = first.slice('query='.length);
  const query = unescaped(raw);
  let end = from + first.length;
  const parameters = new Map(
    rest.map((part): [string, string] => {
      const equals = part.indexOf('=');
      const [name, value] = [part.slice(0, equals), unescaped(part.slice(equals + 1)).trim()];
      const start = end + 1 + equals + 1;
      end += 1 + part.length;
      return [name, times.has(name) ? timeOf(value, now, () => placeOf(written, start)) : value];
    }),
  );
  const isRange = parameters.has('step');
  if (isRange && !parameters.has('end')) parameters.set('end', String(now / 1000));
  return { query, offset: query === raw ? from + 'query='.length : undefined, isRange, parameters };
}

/** Percent signs that are not an escape stay modulo operators. */
const unescaped = (text: string) =>
  text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });

/** Prometheus' own units, in milliseconds; its year has 365 days. */
const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, y: 31_536_000_000 };
const duration = /(\d+)\s*(ms|[smhdwy])/g;
const relative = new RegExp(`^(?:now)?\\s*([+-])\\s*((?:${duration.source}\\s*)+)$`);

/** Accepts seconds, `now`, `now-1h30m`, `-6h`, a day or a time; UTC without a zone. */
function timeOf(value: string, now: number, place: () => ReturnType<typeof placeOf>): string {
  if (value === 'now') return String(now / 1000);
  const [, sign, length] = relative.exec(value) ?? [];
  if (length !== undefined) {
    const ms = [...length.matchAll(duration)].reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0), 0);
    return String((sign === '+' ? now + ms : now - ms) / 1000);
  }
  // A malformed relative time fails here, because the server would silently return an empty range.
  if (/^now/i.test(value)) {
    throw new QueryError(
      `'${value}' is not a time. Write it as now-90m, now-1h30m or now-7d; the units are ms, s, m, h, d, w and y.`,
      place(),
    );
  }
  const [, day, time = '00:00', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(Z|[+-]\d{2}:?\d{2})?$/.exec(value) ?? [];
  const moment = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(moment) ? value : String(moment / 1000);
}
