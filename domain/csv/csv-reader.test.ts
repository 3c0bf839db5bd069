import { expect, test } from 'vitest';
import { type CsvFormat, CsvReader } from './csv-reader.ts';

const usual: CsvFormat = { separator: ',', quote: '"' };

function read(text: string, format: Partial<CsvFormat> = {}, size = text.length || 1): string[][] {
  const reader = new CsvReader({ ...usual, ...format });
  const rows: string[][] = [];
  for (let at = 0; at < text.length; at += size) rows.push(...reader.push(text.slice(at, at + size)));
  return [...rows, ...reader.end()];
}

test.each([
  [
    'a,b\n1,2\n',
    {},
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r\n1,2',
    {},
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['a,,\n', {}, [['a', '', '']]],
  ['\n\na\n\n', {}, [['a']]],
  ['"a,b",c\n', {}, [['a,b', 'c']]],
  [
    '"a\nb",c\nd,e',
    {},
    [
      ['a\nb', 'c'],
      ['d', 'e'],
    ],
  ],
  ['"a\r\nb",c\r\n', {}, [['a\r\nb', 'c']]],
  ['"say ""hi""",""\n', {}, [['say "hi"', '']]],
  ['a "b" c,d\n', {}, [['a "b" c', 'd']]],
  ['"a"b,c\n', {}, [['ab', 'c']]],
  ['a;b\tc\n', { separator: ';' }, [['a', 'b\tc']]],
  ["'a;b';c", { separator: ';', quote: "'" }, [['a;b', 'c']]],
  ['a||b||"c||d"\n', { separator: '||' }, [['a', 'b', 'c||d']]],
  ['a\\,b,"c\\"d"\n', { escapeMark: '\\' }, [['a,b', 'c"d']]],
  ['# note, more\na,b\n', { comment: '#' }, [['a', 'b']]],
  ['', {}, []],
] as const)('%j is read as %j → %j, however it is cut', (text, format, rows) => {
  expect(read(text, format)).toEqual(rows);
  expect(read(text, format, 1)).toEqual(rows);
  expect(read(text, format, 3)).toEqual(rows);
});

test('a quote that is never closed is named by its line', () => {
  expect(() => read('a,b\n1,"2\n3,4\n')).toThrow('The quote in line 2 is never closed.');
});

test('a quote that is never closed does not eat the memory', () => {
  const reader = new CsvReader(usual);
  const piece = 'x'.repeat(1024 ** 2);
  expect(() => {
    reader.push('"');
    for (let i = 0; i < 20; i++) reader.push(piece);
  }).toThrow('Line 1 is too long; is a quote never closed?');
});

test('rows know the line in which they begin, across quotes and blank lines', () => {
  const reader = new CsvReader(usual);
  expect(reader.push('a,b\n\n"c\nd",e\nf,g')).toHaveLength(2);
  expect(reader.rowLines).toEqual([1, 3]);
  expect(reader.end()).toEqual([['f', 'g']]);
  expect(reader.rowLines).toEqual([5]);
});
