import type { ColumnType, ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import type { ResultSource } from '../resultTable.ts';

const column = (name: string, type: ColumnType): ResultColumn => ({ name, type });

/** Makes rows, also with names such as `__proto__` as own keys. */
const made = (columns: ResultColumn[], rows: readonly (readonly unknown[])[]): ResultSource => ({
  columns,
  rows: rows.map((values) => {
    const row: ResultRow = {};
    columns.forEach(({ name }, at) => {
      Object.defineProperty(row, name, { value: values[at], enumerable: true, configurable: true, writable: true });
    });
    return row;
  }),
});

const attack = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const link = 'javascript:window.hacked=1';
const oddNames = ['a.b.c', 'with "quotes"', "it's", '漢字 🌊', '__proto__', 'constructor', '', 'a::b', '{{ @ }}', attack];

/** Results that must not break any kind. Each has numbers, names and dates, so that every kind finds something to draw. */
export const hostileResults: Readonly<Record<string, () => ResultSource>> = {
  script: () =>
    made(
      [column(attack, 'string'), column('stage1', 'string'), column('stage2', 'string'), column('value', 'float'), column('url', 'string')],
      [
        [attack, attack, `${attack}2`, 3, link],
        ['"><svg onload=window.hacked=1>', '&lt;b&gt;', attack, 2, `data:text/html,${attack}`],
        ['{{ constructor.constructor("window.hacked=1")() }}', "'; drop table x; --", attack, 1, link],
      ],
    ),
  names: () =>
    made(
      oddNames.map((name, at) => column(name, at % 2 === 0 ? 'string' : 'float')),
      [0, 1, 2, 3].map((row) => oddNames.map((name, at) => (at % 2 === 0 ? `${name} ${row}` : row * at))),
    ),
  wide: () =>
    made(
      Array.from({ length: 500 }, (_, at) => column(`column ${at}`, at === 0 ? 'string' : 'float')),
      Array.from({ length: 20 }, (_, row) => Array.from({ length: 500 }, (_, at) => (at === 0 ? `row ${row}` : row * at))),
    ),
  long: () =>
    made(
      [column('text', 'string'), column('value', 'float'), column('lat', 'float'), column('lon', 'float')],
      [
        ['x'.repeat(100_000), 1, 51, 7],
        ['lorem ipsum '.repeat(8000), 2, 52, 8],
        ['\u202e\u0000\uffff\ud800', 3, 53, 9],
      ],
    ),
  mixed: () =>
    made(
      [column('value', 'float'), column('what', null), column('date', 'datetime'), column('total', 'integer'), column('day_number', null)],
      [
        [Number.NaN, 1, '2024-02-09T07:00:00Z', '123456789012345678901234567890', 0],
        [Number.POSITIVE_INFINITY, 'text', 'yesterday', null, -1],
        [Number.NEGATIVE_INFINITY, null, null, 1.7e308, 'NaN'],
        [-0, true, 7, -1.7e308, 1e9],
        [5e-324, { nested: [1, { deep: attack }] }, '2024-02-30', 0, null],
        [undefined, [1, 2], '', '12,5 %', {}],
        ['1e400', '', '9999-12-31T23:59:59Z', true, 2],
      ],
    ),
  'no-rows': () => made([column('name', 'string'), column('value', 'float'), column('time', 'datetime')], []),
  'no-columns': () => made([], [[], []]),
  'only-nulls': () =>
    made(
      [column('a', null), column('b', 'float')],
      [
        [null, null],
        [undefined, null],
      ],
    ),
};
