import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { resultTable } from '../resultTable.ts';
import { wordCloud } from './index.ts';
import { wordCloudModel } from './wordCloudModel.ts';
import { wordCloudOptions } from './wordCloudOptions.ts';

const columns: ResultColumn[] = [
  { name: 'text', type: 'string' },
  { name: 'n', type: 'integer' },
];
const none = { min: null, max: null };
const stored = { column: 'text', frequenciesColumn: '', wordLengthLimit: none, wordCountLimit: none };
const effective = (value: unknown, of = columns) => wordCloudOptions({ columns: of, settings: commonSettings }).parse(value);
const saved = (value: unknown) => wordCloud.optionsToSave(wordCloud.effectiveOptions(value, { columns, settings: commonSettings }));
const wordsOf = (rows: ResultRow[], value: object = stored) =>
  wordCloudModel(resultTable({ columns, rows }), effective(value)).words.map(({ text, count }) => [text, count]);

describe('15: options', () => {
  test('without columns the defaults of the contract', () => {
    expect(effective({}, [])).toEqual({ ...stored, column: '' });
  });

  test.each([
    [{ ...stored, column: '', more: 1 }],
    [{ ...stored, frequenciesColumn: 'n', wordLengthLimit: { min: 3, max: 10 }, wordCountLimit: { min: 2, max: 99 }, channelid: 'c' }],
  ])('%j survives a save unchanged', (value) => expect(saved(value)).toEqual(value));

  test('an older one gets what it lacks', () => {
    expect(saved({ column: 'text' })).toEqual(stored);
  });

  test.each([0, '', '0', 'x', -3, Number.NaN, {}])('a limit of %j is none', (min) => {
    expect(effective({ ...stored, wordLengthLimit: { min, max: '7' } }).wordLengthLimit).toEqual({ min: null, max: 7 });
  });

  test('complaint 35: a new one takes the first text, and a column that calls itself a count', () => {
    expect(effective({})).toMatchObject({ column: 'text', frequenciesColumn: 'n' });
    expect(effective({}, [{ name: 'a', type: 'float' }])).toMatchObject({ column: 'a', frequenciesColumn: '' });
  });
});

describe('15: words', () => {
  test('are split at white space and counted as they are written', () => {
    expect(wordsOf([{ text: 'a B  a\n a, b' }, { text: 'B\tc' }, { text: null }, { text: 7 }])).toEqual([
      ['a', 2],
      ['B', 2],
      ['a,', 1],
      ['b', 1],
      ['c', 1],
      ['7', 1],
    ]);
  });

  test('come with their number where a column has it; the last one wins', () => {
    const rows = [
      { text: 'two words', n: 3 },
      { text: 'x', n: 5 },
      { text: 'x', n: '9' },
      { text: 'y', n: 0 },
      { text: 'z', n: -1 },
      { text: 'w', n: 'no' },
    ];
    expect(wordsOf(rows, { ...stored, frequenciesColumn: 'n' })).toEqual([
      ['x', 9],
      ['two words', 3],
    ]);
  });

  test('the more frequent first, then the longer', () => {
    expect(wordsOf([{ text: 'aa b ccc b dddd' }])).toEqual([
      ['b', 2],
      ['dddd', 1],
      ['ccc', 1],
      ['aa', 1],
    ]);
  });

  test.each([
    [{ wordLengthLimit: { min: 2, max: null } }, ['ccc', 'bb']],
    [{ wordLengthLimit: { min: null, max: 2 } }, ['a', 'bb']],
    [{ wordCountLimit: { min: 2, max: null } }, ['a', 'ccc']],
    [{ wordCountLimit: { min: null, max: 1 } }, ['bb']],
  ])('%j leaves %j', (limits, expected) => {
    expect(wordsOf([{ text: 'a a a bb ccc ccc' }], { ...stored, ...limits }).map(([text]) => text)).toEqual(expected);
  });

  test('sizes go from 10 to 100 over all words, limits or not; every second stands upright', () => {
    const table = resultTable({ columns, rows: [{ text: 'a a a bb bb c' }] });
    const { words } = wordCloudModel(table, effective({ ...stored, wordCountLimit: { min: 2, max: null } }));
    expect(words.map(({ size, isUpright }) => [size, isUpright])).toEqual([
      [100, false],
      [55, true],
    ]);
    expect(wordCloudModel(resultTable({ columns, rows: [{ text: 'x y' }] }), effective(stored)).words[0]?.size).toBe(55);
  });

  test('another column is another cloud', () => {
    expect(wordsOf([{ text: 'a', n: 7 }], { ...stored, column: 'n' })).toEqual([['7', 1]]);
  });

  test('more than anybody reads, and a word without an end', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => ({ text: `w${at}` }));
    const model = wordCloudModel(resultTable({ columns, rows: [...many, { text: 'x'.repeat(100_000) }] }), effective(stored));
    expect(model.words).toHaveLength(300);
    expect(model.more).toBe(99_701);
    expect(Math.max(...model.words.map(({ text }) => text.length))).toBeLessThan(70);
  });

  test('in words', () => {
    expect(wordCloud.summary(resultTable({ columns, rows: [{ text: 'a a b' }] }), stored, commonSettings)).toBe(
      'Word cloud of 2 words, most often a (2), b (1).',
    );
  });
});
