/** iot-behaviour 1.8: how long what is kept. */
export const retentionDays = { uplink: 30, point: 400, minute: 400, rejected: 7, entryId: 2, ack: 30 } as const;
/** iot-behaviour 1.10. */
export const rejectedPerDevice = 1000;
/** design 9: what is older than this goes into partitions of a month, so that late data does not make very many of them. */
export const dailyDays = 60;

export const dayMicros = 86_400_000_000;
export const dayOf = (micros: number): number => Math.floor(micros / dayMicros);
