/** iot-behaviour 1.8: the retention in days. */
export const retentionDays = { uplink: 30, point: 400, minute: 400, rejected: 7, entryId: 2, ack: 30 } as const;
/**
 * The longest retention that a channel can choose for its readings: older partitions are dropped for all channels at once. The setting of a
 * channel also holds for what is otherwise kept longer (hours, archived messages) and never lengthens what is kept shorter.
 */
export const longestRetentionDays = retentionDays.point;
/** How many days PostgreSQL keeps readings that were moved to ClickHouse; longer than messages can be decoded again. */
export const movedPointDays = 62;
/** iot-behaviour 1.10. */
export const rejectedPerDevice = 1000;
/** design 9: older data goes into partitions of a month, so that late data does not make very many of them. */
export const dailyDays = 60;

export const dayMicros = 86_400_000_000;
export const dayOf = (micros: number): number => Math.floor(micros / dayMicros);

/**
 * The moment before which a channel keeps nothing: the beginning of a day (UTC), so that no minute or hour is cut in two, and so that there is
 * new work once a day.
 */
export const retentionCutoff = (days: number, now: Date): Date => new Date((dayOf(now.getTime() * 1000) - days) * 86_400_000);
