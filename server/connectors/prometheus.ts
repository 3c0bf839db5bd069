import { flag, optionalText, secret, text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import type { OutgoingHttp } from '../platform/outgoing.ts';
import { anyJson, numberJson } from '../wire/values.ts';
import { defineConnector, placeOf, QueryError, type SchemaTable } from './connector.ts';
import { ask, basicAuth, openingOf } from './http/ask.ts';
import { apiAddress } from './http/base-url.ts';
import { type PromRequest, readPromRequest } from './prometheus/promql.ts';
import type { Sink } from './sink.ts';

const options = z.strictObject({
  url: text('Prometheus API URL', { example: 'http://127.0.0.1:9090' }),
  username: optionalText('Username'),
  password: secret('Password'),
  token: secret('Bearer token'),
  verify_ssl: flag('Verify SSL certificate', true, { extra: true }),
});
type Options = z.output<typeof options>;

export const prometheus = defineConnector({
  type: 'prometheus',
  name: 'Prometheus',
  syntax: 'custom',
  supports_auto_limit: false,
  options,
  async open(given, { http }) {
    const api = (path: string, parameters: URLSearchParams, signal: AbortSignal) => call(http, given, path, parameters, signal);
    return {
      async run({ query }, sink, signal) {
        const request = readPromRequest(query);
        const parameters = new URLSearchParams([['query', request.query], ...request.parameters]);
        const { data, warnings = [] } = await api(request.isRange ? 'query_range' : 'query', parameters, signal).catch((error: unknown) => {
          throw withPlace(error, query, request);
        });
        sink.log.push(...warnings);
        await write(read(Result, data), sink, signal);
      },
      schema: (signal) => readSchema(api, signal),
      async test(signal) {
        await api('query', new URLSearchParams({ query: '1' }), signal);
      },
      close: async () => {},
    };
  },
});

type Api = (path: string, parameters: URLSearchParams, signal: AbortSignal) => Promise<z.output<typeof Answer>>;

const Answer = z.object({ status: z.literal('success'), data: z.unknown(), warnings: z.array(z.string()).optional() });
const Failure = z.object({ status: z.literal('error'), error: z.string() });

/** Sends an API request; an abort closes the connection, which stops the query on the server. */
async function call(
  http: OutgoingHttp,
  given: Options,
  path: string,
  parameters: URLSearchParams,
  signal: AbortSignal,
): Promise<z.output<typeof Answer>> {
  const authorization = given.token
    ? `Bearer ${given.token}`
    : given.username
      ? basicAuth(given.username, given.password ?? '')
      : undefined;
  // Only a query may be too long for an address; other endpoints accept only GET.
  const isLong = path.startsWith('query');
  const address = apiAddress(given.url, `api/v1/${path}`);
  const response = await ask(http, isLong ? address : `${address}?${parameters}`, {
    signal,
    ...(isLong && { method: 'POST', body: String(parameters) }),
    headers: { ...(isLong && { 'content-type': 'application/x-www-form-urlencoded' }), ...(authorization && { authorization }) },
    trusted: true,
    allowInvalidCertificate: !given.verify_ssl,
    ...{ timeoutMs: Number.POSITIVE_INFINITY, maxBytes: 128 * 1024 ** 2 },
  });
  if (!/\bjson\b/.test(response.headers['content-type'] ?? '')) {
    throw new QueryError(`The server does not answer as Prometheus does (${response.status}): ${await openingOf(response, 200)}`);
  }
  const answer = read(z.union([Failure, Answer]), parsed(await response.text()));
  if (answer.status === 'error') throw new QueryError(answer.error);
  return answer;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function read<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw new QueryError('The server does not answer as Prometheus does.', {}, error);
  return data;
}

/** Converts the position in `1:5: parse error: …`, which counts within the expression, to one in the whole text. */
function withPlace(error: unknown, written: string, { query, offset }: PromRequest): unknown {
  const [, line, column] = (error instanceof QueryError && /\b(\d+):(\d+): parse error/.exec(error.message)) || [];
  if (!(error instanceof QueryError) || line === undefined || offset === undefined) return error;
  const start =
    query
      .split('\n')
      .slice(0, Number(line) - 1)
      .join('\n').length + (Number(line) > 1 ? 1 : 0);
  return new QueryError(error.message, placeOf(written, offset + start + Number(column) - 1), error);
}

const Labels = z.record(z.string(), z.string());
/** Points are `[seconds, "text"]`, or have an object for a histogram; they are checked one by one, because there may be millions. */
const points = z.array(z.unknown()).default([]);
const point = z
  .unknown()
  .optional()
  .transform((value) => (value === undefined ? [] : [value]));
const Series = z
  .object({ metric: Labels, value: point, values: points, histogram: point, histograms: points })
  .transform(({ metric, value, values, histogram, histograms }) => ({
    metric,
    points: [...value, ...histogram, ...values, ...histograms],
  }));
const Result = z.union([
  z.object({ resultType: z.enum(['vector', 'matrix']), result: z.array(Series) }),
  z
    .object({ resultType: z.enum(['scalar', 'string']), result: z.unknown() })
    .transform(({ resultType, result }) => ({ resultType, result: [{ metric: {} as z.output<typeof Labels>, points: [result] }] })),
]);

async function write({ resultType, result }: z.output<typeof Result>, sink: Sink, signal: AbortSignal): Promise<void> {
  const labels = [...new Set(result.flatMap(({ metric }) => Object.keys(metric)))];
  const value = resultType === 'string' ? { type: 'string' as const } : { type: 'float' as const, encode: numberJson };
  // A native histogram is not a number, so it gets a column of its own.
  const hasHistograms = result.some(({ points: all }) => all.some((one) => isHistogram(sampleOf(one)[1])));
  sink.columns([
    { name: 'timestamp', type: 'datetime' },
    { name: 'value', ...value },
    ...(hasHistograms ? [{ name: 'histogram', type: null, encode: anyJson }] : []),
    ...labels.map((name) => ({ name, type: 'string' as const })),
  ]);
  for (const series of result) {
    const own = labels.map((name) => (Object.hasOwn(series.metric, name) ? series.metric[name] : null));
    for (const one of series.points) {
      const [seconds, sample] = sampleOf(one);
      const values = hasHistograms ? (isHistogram(sample) ? [null, sample] : [sample, null]) : [sample];
      if (sink.row([new Date(Math.round(Number(seconds) * 1000)), ...values, ...own])) continue;
      await sink.ready();
      signal.throwIfAborted();
    }
  }
}

const sampleOf = (one: unknown): readonly unknown[] => (Array.isArray(one) ? one : []);
const isHistogram = (sample: unknown): boolean => typeof sample === 'object' && sample !== null;

const mostSeries = 50_000;

/** Lists metrics as tables; their labels are the columns, when the server returns them in one request. */
async function readSchema(api: Api, signal: AbortSignal): Promise<SchemaTable[]> {
  const names = read(z.array(z.string()), (await api('label/__name__/values', new URLSearchParams(), signal)).data);
  const descriptions = await api('metadata', new URLSearchParams(), signal).then(({ data }) => Metadata.parse(data), ignored(signal));
  const recent = { start: String(Date.now() / 1000 - 3600), limit: String(mostSeries) };
  const found = await api('series', new URLSearchParams([['match[]', '{__name__!=""}'], ...Object.entries(recent)]), signal).then(
    ({ data }) => z.array(Labels).parse(data),
    ignored(signal),
  );
  const labels = Map.groupBy(found ?? [], (series) => series.__name__ ?? '');
  return names.map((name) => {
    const own = new Set(labels.get(name)?.flatMap((series) => Object.keys(series)));
    own.delete('__name__');
    const description = descriptions?.[name]?.[0]?.help;
    return {
      name,
      columns: [
        { name: 'timestamp', type: 'datetime' },
        { name: 'value', type: 'float' },
        ...[...own].map((label) => ({ name: label, type: 'string' })),
      ],
      ...(description && { description }),
    };
  });
}

const Metadata = z.record(z.string(), z.array(z.object({ help: z.string() })));

/** Ignores errors of endpoints that some servers lack. */
const ignored = (signal: AbortSignal) => (): undefined => void signal.throwIfAborted();
