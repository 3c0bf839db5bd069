import { createHash } from 'node:crypto';

/** The part of the readings that a database of views shows. */
export interface Reach {
  /** The database with our tables. */
  store: string;
  /** The numbers of channels; null for all. */
  channelPks: readonly number[] | null;
  /** The time zone of times, in which texts are compared with them. */
  zone: string;
}

/** Changed whenever the views change, so that an update makes new ones. */
const viewsVersion = 2;

/** The name follows from channels and time zone: readers of the same rows in the same zone share one database of views. */
export function readerDatabase({ store, channelPks, zone }: Reach): string {
  const channels = channelPks === null ? '*' : channelPks.toSorted((a, b) => a - b).join('.');
  const hash = createHash('sha256').update(`${viewsVersion}\0${channels}\0${zone}`).digest('hex').slice(0, 16);
  return `${store}_app_${hash}`;
}

/**
 * design 5: the relations of schema `app`, as views over our tables. The outer zone is an IANA name that was checked. Conditions on the key
 * narrow what is read of readings.
 */
export function readerViews({ store, channelPks, zone }: Reach, conditions: readonly string[] = []): Map<string, string> {
  // PREWHERE comes before every condition of a query, also where the server moves these into the view: no function of a query sees a row of
  // another channel.
  const filter = channelPks === null ? '' : `prewhere channel_pk in (${[-1, ...channelPks].join(', ')})`;
  const local = (column: string) => (zone === 'UTC' ? column : `toTimeZone(${column}, '${zone}')`);
  const names = `(select device_pk, device_name, channel_name from ${store}.device final ${filter} where is_deleted = 0)`;
  const wanted = ['is_deleted = 0', ...conditions].join(' and ');
  const shown = 'channel_id, channel_name, device_id, device_name, attribute';
  const readings = (table: string) => `
    select ${local('time')} as time, ${shown}, value, value_text, kind, uplink_id
    from (select * from ${store}.${table} final ${filter} where ${wanted}) any inner join ${names} using device_pk`;
  // Sums of huge values stay finite, as in PostgreSQL.
  const minutes = `
    select ${local('bucket')} as time, ${shown}, min(number) as min, max(number) as max,
      sum(greatest(-1e290, least(1e290, number))) / count() as avg, argMax(number, micros) as last, count() as count
    from (
      select toStartOfMinute(time) as bucket, channel_id, device_id, attribute, device_pk, micros, assumeNotNull(value) as number
      from ${store}.point final ${filter} where ${wanted} and value is not null)
    any inner join ${names} using device_pk
    group by bucket, channel_id, channel_name, device_id, device_name, attribute, device_pk`;
  return new Map([
    ['metric', readings('point')],
    ['metric_last', readings('last')],
    ['metric_minute', minutes],
    [
      'metric_hour',
      `select ${local('time')} as time, ${shown}, min, max, sum / count as avg, last, count
      from (select * from ${store}.hour final ${filter} where ${wanted}) any inner join ${names} using device_pk`,
    ],
    [
      'device',
      `select channel_id, channel_name, device_id, device_name, dev_eui, latitude, longitude, online, ${local('last_seen_at')} as last_seen_at,
        ${local('created_at')} as created_at from ${store}.device final ${filter} where is_deleted = 0`,
    ],
    [
      'channel',
      `select channel_id, channel_name, kind, ${local('created_at')} as created_at from ${store}.channel final ${filter} where is_deleted = 0`,
    ],
  ]);
}
