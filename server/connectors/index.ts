import { clickhouse } from './clickhouse.ts';
import type { Connector } from './connector.ts';
import { csv } from './csv.ts';
import { duckdb } from './duckdb.ts';
import { excel } from './excel.ts';
import { graphql } from './graphql.ts';
import { influxdb } from './influxdb.ts';
import { iotData } from './iot-data.ts';
import { json } from './json.ts';
import { mysql, rdsMysql } from './mysql.ts';
import { cockroach, postgres, redshift, timescale } from './postgres.ts';
import { prometheus } from './prometheus.ts';
import { queryResults } from './query-results.ts';
import { sqlite } from './sqlite.ts';
import { url } from './url.ts';

/** All connectors: one file and one line each. */
export const connectors: readonly Connector[] = [
  iotData,
  postgres,
  redshift,
  timescale,
  cockroach,
  mysql,
  rdsMysql,
  sqlite,
  duckdb,
  queryResults,
  clickhouse,
  influxdb,
  prometheus,
  json,
  url,
  csv,
  excel,
  graphql,
];

export const findConnector = (type: string): Connector | undefined => connectors.find((connector) => connector.type === type);
