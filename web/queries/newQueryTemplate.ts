import type { QueryParameter } from '@telltale/domain/parameters/contract.ts';

/** Q2: what a new query on IoT data starts with; it runs at once, because the range is today's. */
export const templateText = `SELECT time, device_id, attribute, value
FROM app.metric
WHERE time >= '{{ timerange.start }}' AND time <= '{{ timerange.end }}'
ORDER BY time DESC
`;

export const templateParameters: readonly QueryParameter[] = [
  { name: 'timerange', title: 'Time range', type: 'datetime-range', value: 'd_today', global: false },
];
