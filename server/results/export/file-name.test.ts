import { expect, test } from 'vitest';
import { contentDisposition, fileName } from './file-name.ts';

const download = (name?: string) => ({
  result_id: 9,
  retrieved_at: '2026-01-31T23:59:59.123Z',
  ...(name === undefined ? {} : { query: { id: 4, name } }),
});

test.each([
  ['Daily temperature', 'Daily_temperature_2026_01_31.csv'],
  ['  a<>:"b\\/|?*c  ', 'a_b_c_2026_01_31.csv'],
  ['../../etc/passwd', '.._.._etc_passwd_2026_01_31.csv'],
  ['tab\tand\u200bzero\r\nwidth', 'tabandzerowidth_2026_01_31.csv'],
  ['żółć', 'żółć_2026_01_31.csv'],
  ['', '4_2026_01_31.csv'],
  [' / ', '4_2026_01_31.csv'],
  [undefined, '9_2026_01_31.csv'],
])('server-behaviour 11.3: the query %j is saved as %s', (name, expected) => {
  expect(fileName(download(name), 'csv')).toBe(expected);
});

test.each([
  ['Plain', 'attachment; filename=Plain_2026_01_31.xlsx'],
  ['a; b=1', 'attachment; filename="a;_b=1_2026_01_31.xlsx"'],
  ['Café', "attachment; filename=Cafe_2026_01_31.xlsx; filename*=UTF-8''Caf%C3%A9_2026_01_31.xlsx"],
  ['温度', "attachment; filename=4_2026_01_31.xlsx; filename*=UTF-8''%E6%B8%A9%E5%BA%A6_2026_01_31.xlsx"],
  ["it's é (1)", "attachment; filename=\"it's_e_(1)_2026_01_31.xlsx\"; filename*=UTF-8''it%27s_%C3%A9_%281%29_2026_01_31.xlsx"],
])('server-behaviour 11.3: the query %j is announced as %s', (name, header) => {
  expect(contentDisposition(download(name), 'xlsx')).toBe(header);
});
