import { flag, optionalText, secret } from '@telltale/domain/forms/fields.ts';
import { ColumnType } from '@telltale/domain/results/contract.ts';
import { z } from 'zod';
import { defineConnector, QueryError } from './connector.ts';
import { askOk } from './http/ask.ts';
import { parseExactJson } from './http/exact-json.ts';
import { WebSource, webConnection } from './http/web-source.ts';

/** The expected answer: a result in the format of our own API. */
const Answer = z.object({
  columns: z.array(z.object({ name: z.string(), type: ColumnType.catch(null).default(null) })),
  rows: z.array(z.record(z.string(), z.unknown())),
});

export const url = defineConnector({
  type: 'url',
  name: 'Url',
  syntax: 'custom',
  supports_auto_limit: false,
  isDeprecated: true,
  options: z.strictObject({
    url: optionalText('URL base path'),
    username: optionalText('HTTP Basic Auth Username'),
    password: secret('HTTP Basic Auth Password'),
    verify: flag('Verify SSL certificate', true, { extra: true }),
  }),
  async open({ url: base_url, ...options }, env) {
    const source = new WebSource({ base_url, ...options });
    return webConnection(source, env, async ({ query }, sink, signal) => {
      const path = query.trim();
      if (base_url !== undefined && /^(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i.test(path))
        throw new QueryError(`Accepting only relative URLs to '${base_url}'`);
      const address = source.addressOf(path);
      const response = await askOk(env.http, address, {
        signal,
        headers: { accept: 'application/json', ...source.authorization() },
        allowInvalidCertificate: source.allowsInvalidCertificate(undefined),
        maxBytes: 64 * 1024 ** 2,
      });
      const { columns, rows } = read(await response.text(), address.href);
      sink.columns(columns);
      for (const row of rows) {
        if (!sink.row(columns.map(({ name }) => (Object.hasOwn(row, name) ? row[name] : null)))) await sink.ready();
        signal.throwIfAborted();
      }
    });
  },
});

function read(text: string, address: string): z.output<typeof Answer> {
  if (text.trim() === '') throw new QueryError(`Got empty response from '${address}'.`);
  try {
    return Answer.parse(parseExactJson(text));
  } catch (cause) {
    throw new QueryError('The answer must be JSON with columns and rows.', {}, cause);
  }
}
