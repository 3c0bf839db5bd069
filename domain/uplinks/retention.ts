/** iot-behaviour 1.8: the retention in days. */
export const retentionDays = { uplink: 30, point: 400, minute: 400, rejected: 7, entryId: 2, ack: 30 } as const;
/** How many days PostgreSQL keeps readings that were moved to ClickHouse; longer than messages can be decoded again. */
export const movedPointDays = 62;
/** iot-behaviour 1.10. */
export const rejectedPerDevice = 1000;
/** design 9: older data goes into partitions of a month, so that late data does not make very many of them. */
export const dailyDays = 60;

export const dayMicros = 86_400_000_000;
export const dayOf = (micros: number): number => Math.floor(micros / dayMicros);
