/** A query as the API wants it; `step` makes it one over a range. */
export interface PromRequest {
  query: string;
  /** Where the expression begins in what was written; undefined when it was escaped. */
  offset: number | undefined;
  isRange: boolean;
  /** What goes along: start, end, step, time, timeout … */
  parameters: Map<string, string>;
}

const known = 'start|end|step|time|timeout|limit|lookback_delta';
const boundary = new RegExp(`&(?=(?:${known})=)`);
const times = new Set(['start', 'end', 'time']);

/**
 * Upstream's form: an expression as it is, or `query=…&start=…&end=…&step=…`. Only an `&` in front of a known name
 * ends the expression, and a `+` stays a plus, so that any expression can be written as it is.
 */
export function readPromRequest(written: string, now = Date.now()): PromRequest {
  const from = written.length - written.trimStart().length;
  const text = written.trim();
  if (!text.startsWith('query=')) return { query: text, offset: from, isRange: false, parameters: new Map() };
  const [first = '', ...rest] = text.split(boundary);
  const raw = first.slice('query='.length);
  const query = unescaped(raw);
  const parameters = new Map(
    rest.map((part): [string, string] => {
      const equals = part.indexOf('=');
      const [name, value] = [part.slice(0, equals), unescaped(part.slice(equals + 1)).trim()];
      return [name, times.has(name) ? timeOf(value, now) : value];
    }),
  );
  const isRange = parameters.has('step');
  if (isRange && !parameters.has('end')) parameters.set('end', timeOf('now', now));
  return { query, offset: query === raw ? from + 'query='.length : undefined, isRange, parameters };
}

/** Percent signs that are no escape are the modulo they look like. */
const unescaped = (text: string) =>
  text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });

const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Seconds as they are, `now`, `now-6h`, a day, a moment; without a zone it is UTC. */
function timeOf(value: string, now: number): string {
  const [, sign, count, unit] = /^now(?:\s*([+-])\s*(\d+)([smhdw]))?$/.exec(value) ?? [];
  if (/^now\b/.test(value)) return String((now + (sign === '+' ? 1000 : -1000) * Number(count ?? 0) * (units[unit ?? ''] ?? 0)) / 1000);
  const [, day, time = '00:00', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(Z|[+-]\d{2}:?\d{2})?$/.exec(value) ?? [];
  const moment = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(moment) ? value : String(moment / 1000);
}
