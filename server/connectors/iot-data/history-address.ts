/** Where readings are kept in ClickHouse (`CLICKHOUSE_URL`). */
export interface HistoryAddress {
  /** Without credentials and without the database. */
  url: string;
  user: string;
  password: string;
  /** The database with our tables; those that readers see have names that begin with it. */
  database: string;
}

/** `http://user:password@host:8123/database`; the database is `telltale` unless stated. */
export function historyAddress(written: string): HistoryAddress {
  const url = new URL(written);
  return {
    url: url.origin,
    user: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.replace(/^\//, '')) || 'telltale',
  };
}
