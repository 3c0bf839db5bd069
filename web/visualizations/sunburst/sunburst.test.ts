import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { resultTable } from '../resultTable.ts';
import { sunburst } from './index.ts';
import { nextPath } from './nextPath.ts';
import { pathTo, percentText, placeOf, type SunburstNode, sunburstModel } from './sunburstModel.ts';

const tableOf = (rows: ResultRow[], names: string[]) =>
  resultTable({ columns: names.map((name): ResultColumn => ({ name, type: name === 'value' ? 'integer' : 'string' })), rows });
const stages = ['stage1', 'stage2', 'stage3', 'value'];
const steps = ['sequence', 'stage', 'node', 'value'];
const written = (nodes: readonly SunburstNode[]): string =>
  nodes.map(({ name, value, children }) => `${name}:${value}${children.length > 0 ? `(${written(children)})` : ''}`).join(' ');
const ways: ResultRow[] = [
  { stage1: 'a', stage2: 'b', stage3: 'c', value: 5 },
  { stage1: 'a', stage2: 'b', stage3: null, value: 3 },
  { stage1: 'a', stage2: null, stage3: 'c', value: 2 },
  { stage1: 'd', stage2: '', stage3: null, value: '10' },
];

describe('14: SUNBURST_SEQUENCE', () => {
  test('one row per path: nulls are dropped, a path that ends early leaves its part open', () => {
    const { nodes, total } = sunburstModel(tableOf(ways, stages));
    expect(written(nodes)).toBe('a:10(b:8(c:5) c:2) d:10');
    expect(total).toBe(20);
  });

  test('one row per step: in the order of the stages, the size of the first row', () => {
    const rows = [
      { sequence: 1, stage: 2, node: 'b', value: 7 },
      { sequence: 1, stage: 1, node: 'a', value: 99 },
      { sequence: 1, stage: 10, node: 'c', value: 99 },
      { sequence: 'x', stage: 1, node: 'a', value: 3 },
    ];
    expect(written(sunburstModel(tableOf(rows, steps)).nodes)).toBe('a:10(b:7(c:7))');
  });

  test('the first row decides which it is', () => {
    expect(written(sunburstModel(tableOf([{ sequence: 'x', stage: 'y', value: 2 }], ['sequence', 'stage', 'value'])).nodes)).toBe(
      'x:2(y:2)',
    );
  });

  test('a colour for each name; slices that nobody sees are not drawn', () => {
    const rows = [
      { stage1: 'a', stage2: 'b', value: 100_000 },
      { stage1: 'b', stage2: 'a', value: 50_000 },
      { stage1: 'tiny', value: 1 },
    ];
    const { nodes, total } = sunburstModel(tableOf(rows, stages));
    expect(written(nodes)).toBe('a:100000(b:100000) b:50000(a:50000)');
    expect(nodes[0]?.color).toBe(nodes[1]?.children[0]?.color);
    expect(total).toBe(150_001);
  });

  test.each([null, 'x', 0, -1, Number.NaN, {}])('a value of %j is nothing', (value) => {
    expect(sunburstModel(tableOf([{ stage1: 'a', value }], stages)).nodes).toEqual([]);
  });

  test.each([
    [1, 1, '100%'],
    [1, 2, '50.0%'],
    [1, 3, '33.3%'],
    [1, 100, '1.00%'],
    [1, 101, '< 1.0%'],
    [0, 0, '0.00%'],
  ])('%d of %d is %s', (part, total, text) => expect(percentText(part, total)).toBe(text));

  test('arrow keys: along a ring by size, out and in', () => {
    const { nodes } = sunburstModel(tableOf(ways, stages));
    expect(nextPath(nodes, [], 'ArrowRight')).toEqual([0]);
    expect(nextPath(nodes, [0], 'ArrowRight')).toEqual([1]);
    expect(nextPath(nodes, [1], 'ArrowRight')).toEqual([0]);
    expect(nextPath(nodes, [0], 'ArrowUp')).toEqual([0, 0]);
    expect(nextPath(nodes, [0, 0], 'ArrowLeft')).toEqual([0, 1]);
    expect(nextPath(nodes, [0, 0, 0], 'ArrowUp')).toEqual([0, 0, 0]);
    expect(nextPath(nodes, [0, 0], 'ArrowDown')).toEqual([0]);
    expect(nextPath(nodes, [0], 'ArrowDown')).toEqual([0]);
    expect(nextPath(nodes, [0], 'x')).toBeNull();
    expect(pathTo(nodes, [0, 0]).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('the number of a slice counts all before it', () => {
    const { nodes } = sunburstModel(tableOf(ways, stages));
    expect([[], [0], [0, 0], [0, 0, 0], [0, 1], [1]].map((path) => placeOf(nodes, path))).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('it has no options and keeps stored ones', () => {
    expect(sunburst.optionsToSave(sunburst.effectiveOptions({ channelid: 'c' }, { columns: [], settings: commonSettings }))).toEqual({
      channelid: 'c',
    });
  });

  test('in words', () => {
    expect(sunburst.summary(tableOf(ways, stages), {}, commonSettings)).toBe(
      'Sunburst of sequences with a total of 20, beginning with a (50.0%), d (50.0%).',
    );
  });
});
