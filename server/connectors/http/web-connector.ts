import { z } from 'zod';
import { type Connector, type ConnectorEnv, defineConnector } from '../connector.ts';
import type { Sink } from '../sink.ts';
import { WebSource, webConnection, webSourceOptions } from './web-source.ts';
import { readYamlQuery } from './yaml-query.ts';

/** The places that a query of a web connector reads from and writes to. */
export interface WebRun {
  source: WebSource;
  env: ConnectorEnv;
  sink: Sink;
  signal: AbortSignal;
}

interface WebKind<Q extends z.ZodObject> {
  type: string;
  name: string;
  /** The options that a query may state in YAML. */
  query: Q;
  run(query: z.output<Q>, run: WebRun): Promise<void>;
}

/** A connector whose queries are options in YAML with an address: a file or an answer of a web server. */
export const defineWebConnector = <Q extends z.ZodObject>({ type, name, query, run }: WebKind<Q>): Connector =>
  defineConnector({
    type,
    name,
    syntax: 'yaml',
    supports_auto_limit: false,
    options: z.strictObject(webSourceOptions),
    async open(options, env) {
      const source = new WebSource(options);
      return webConnection(source, env, async (statement, sink, signal) =>
        run(await readYamlQuery(statement.query, query), { source, env, sink, signal }),
      );
    },
  });
