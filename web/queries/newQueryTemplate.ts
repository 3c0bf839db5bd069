import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import type { QueryParameter } from '@telltale/domain/parameters/contract.ts';
import { type Dialect, rulesOf } from '@telltale/domain/sql/dialect.ts';

/** Q2: the source chosen last, else the one that the template is for. */
export const firstSourceOf = <S extends Pick<DataSource, 'id' | 'type'>>(offered: readonly S[], lastId: number): S | undefined =>
  offered.find(({ id }) => id === lastId) ?? offered.find(({ type }) => type === 'telltale') ?? offered[0];

/** Q2: the initial text of a new query on IoT data; it runs at once, because the range is today's. */
export const templateText = (dialect: Dialect): string => {
  const { minuteSuffix: seconds } = rulesOf(dialect);
  return `SELECT time, device_id, attribute, value
FROM app.metric
WHERE time >= '{{ timerange.start }}${seconds}' AND time <= '{{ timerange.end }}${seconds}'
ORDER BY time DESC
`;
};

export const templateParameters: readonly QueryParameter[] = [
  { name: 'timerange', title: 'Time range', type: 'datetime-range', value: 'd_today', global: false },
];
