/** What the server's version allows. */
interface Abilities {
  /** DateTime64: times with microseconds. */
  hasFractions: boolean;
  /** Compression made for series (iot-behaviour 1.8). */
  hasCodecs: boolean;
}

/**
 * The tables of readings. A reading that is stored twice counts once: ReplacingMergeTree keeps the greatest version of a key, and readers ask
 * with FINAL. A deletion is a row with `is_deleted`, so an older version that is stored again does not restore the reading.
 */
export function historyTables(database: string, { hasFractions, hasCodecs }: Abilities): string[] {
  const time = hasFractions ? "DateTime64(6, 'UTC')" : "DateTime('UTC')";
  const name = hasCodecs ? 'LowCardinality(String)' : 'String';
  const codec = (text: string) => (hasCodecs ? ` CODEC(${text}, LZ4)` : '');
  const reading = `channel_pk Int32, device_pk Int32, channel_id ${name}, device_id String, attribute ${name}, time ${time}${codec('DoubleDelta')},
    micros Int64${codec('DoubleDelta')}, value Nullable(Float64)${codec('Gorilla')}, value_text Nullable(String), kind ${name}, uplink_id Nullable(String),
    version UInt64, is_deleted UInt8`;
  const kept = (table: string, columns: string, order: string, partition = '') =>
    `CREATE TABLE IF NOT EXISTS ${database}.${table} (${columns}) ENGINE = ReplacingMergeTree(version) ${partition} ORDER BY (${order})`;
  return [
    `CREATE DATABASE IF NOT EXISTS ${database}`,
    kept('point', reading, 'channel_id, device_id, attribute, time, micros, device_pk', 'PARTITION BY toYYYYMM(time)'),
    kept('last', reading, 'channel_id, device_id, attribute, device_pk'),
    kept(
      'hour',
      `channel_pk Int32, device_pk Int32, channel_id ${name}, device_id String, attribute ${name}, time ${time}, count UInt64, sum Float64, min Float64,
      max Float64, last Float64, version UInt64, is_deleted UInt8`,
      'channel_id, device_id, attribute, time, device_pk',
    ),
    kept(
      'device',
      `device_pk Int32, channel_pk Int32, channel_id String, channel_name String, device_id String, device_name String, dev_eui Nullable(String),
      latitude Nullable(Float64), longitude Nullable(Float64), online UInt8, last_seen_at Nullable(${time}), created_at ${time}, version UInt64,
      is_deleted UInt8`,
      'device_pk',
    ),
    kept(
      'channel',
      `channel_pk Int32, channel_id String, channel_name String, kind String, created_at ${time}, version UInt64, is_deleted UInt8`,
      'channel_pk',
    ),
  ];
}

export const readingColumns =
  'channel_pk, device_pk, channel_id, device_id, attribute, time, micros, value, value_text, kind, uplink_id, version, is_deleted';
export const hourColumns = 'channel_pk, device_pk, channel_id, device_id, attribute, time, count, sum, min, max, last, version, is_deleted';
export const deviceColumns =
  'device_pk, channel_pk, channel_id, channel_name, device_id, device_name, dev_eui, latitude, longitude, online, last_seen_at, created_at, version, is_deleted';
export const channelColumns = 'channel_pk, channel_id, channel_name, kind, created_at, version, is_deleted';
