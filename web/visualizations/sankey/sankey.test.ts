import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { chartColors } from '../echarts/chartColors.ts';
import { resultTable } from '../resultTable.ts';
import { sankey } from './index.ts';
import { sankeyModel } from './sankeyModel.ts';
import { sankeyOption } from './sankeyOption.ts';

const tableOf = (rows: ResultRow[], names = ['stage1', 'stage2', 'stage3', 'value']) =>
  resultTable({ columns: names.map((name): ResultColumn => ({ name, type: name === 'value' ? 'integer' : 'string' })), rows });
const linksOf = (rows: ResultRow[], names?: string[]) => {
  const { links, nodes } = sankeyModel(tableOf(rows, names));
  const name = (key: string) => nodes.find((node) => node.key === key)?.name;
  return links.map(({ source, target, value }) => `${name(source)} → ${name(target)}: ${value}`);
};

describe('13: SANKEY', () => {
  test('adjacent stages are linked, equal links are added', () => {
    expect(
      linksOf([
        { stage1: 'a', stage2: 'b', stage3: 'c', value: 3 },
        { stage1: 'a', stage2: 'b', stage3: 'd', value: '4' },
      ]),
    ).toEqual(['a → b: 7', 'b → c: 3', 'b → d: 4']);
  });

  test('stages are sorted by name, the first five count, others than value have any name', () => {
    const names = ['value', 'z', 'y', 'x', 'w', 'v', 'u'];
    expect(sankeyModel(tableOf([{ z: 1 }], names)).stages).toEqual(['u', 'v', 'w', 'x', 'y']);
    expect(linksOf([{ to: 'b', from: 'a', value: 1 }], ['to', 'from', 'value'])).toEqual(['a → b: 1']);
  });

  test('the same name in another stage is another node, so there are no circles', () => {
    const rows = [
      { stage1: 'a', stage2: 'b', stage3: 'a', value: 1 },
      { stage1: 'b', stage2: 'a', stage3: 'b', value: 1 },
    ];
    const { nodes, links } = sankeyModel(tableOf(rows));
    expect(nodes).toHaveLength(6);
    const stage = new Map(nodes.map((node) => [node.key, node.stage]));
    for (const { source, target } of links) expect(stage.get(target)).toBe((stage.get(source) ?? 0) + 1);
  });

  test('a gap in a path is skipped, and the path goes on behind it', () => {
    const names = ['stage1', 'stage2', 'stage3', 'stage4', 'value'];
    const rows = [
      { stage1: 'a', stage2: null, stage3: 'c', stage4: 'd', value: 2 },
      { stage1: 'a', stage2: 'b', stage3: 'c', stage4: 'd', value: 5 },
    ];
    expect(linksOf(rows, names)).toEqual(['a → Exit: 2', 'c → d: 7', 'a → b: 5', 'b → c: 5']);
    const { nodes } = sankeyModel(tableOf(rows, names));
    expect(nodes.find(({ name }) => name === 'c')?.value).toBe(7);
  });

  test('a path that ends goes to an exit that is not drawn; nothing goes on from there', () => {
    const { nodes, links } = sankeyModel(
      tableOf([
        { stage1: 'a', stage2: null, stage3: 'c', value: 2 },
        { stage1: 'a', stage2: '', stage3: null, value: 1 },
      ]),
    );
    expect(nodes.map(({ name, isExit, value }) => [name, isExit, value])).toEqual([
      ['a', false, 3],
      ['Exit', true, 3],
    ]);
    expect(links).toHaveLength(1);
    const option = JSON.stringify(
      sankeyOption(sankeyModel(tableOf([{ stage1: 'a', stage2: null, stage3: 'c', value: 2 }])), chartColors('light')),
    );
    expect(option).toContain('"opacity":0');
  });

  test('a node called Exit is not the exit', () => {
    expect(sankeyModel(tableOf([{ stage1: 'a', stage2: 'Exit', value: 2 }])).nodes.map(({ isExit }) => isExit)).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('colours go by the first word', () => {
    const { nodes } = sankeyModel(tableOf([{ stage1: 'page one', stage2: 'page two', stage3: 'other', value: 1 }]));
    expect(nodes[0]?.color).toBe(nodes[1]?.color);
    expect(nodes[2]?.color).not.toBe(nodes[0]?.color);
  });

  test.each([null, 'x', 0, -3, Number.NaN, Number.POSITIVE_INFINITY, 1e300, {}])('a value of %j flows nowhere', (value) => {
    expect(linksOf([{ stage1: 'a', stage2: 'b', value }])).toEqual([]);
  });

  test('complaint 35: without a column called value the last numbers count', () => {
    const columns: ResultColumn[] = [
      { name: 'from', type: 'string' },
      { name: 'to', type: 'string' },
      { name: 'visits', type: 'integer' },
    ];
    expect(sankeyModel(resultTable({ columns, rows: [{ from: 'a', to: 'b', visits: 5 }] })).links).toHaveLength(1);
  });

  test('a hundred thousand names are a hundred and the rest', () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => ({ stage1: `s${at}`, stage2: `t${at % 3}`, value: 1 + (at % 9) }));
    const { nodes } = sankeyModel(tableOf(rows, ['stage1', 'stage2', 'value']));
    expect(nodes.filter(({ stage }) => stage === 0)).toHaveLength(101);
    expect(nodes.some(({ name }) => name === 'Other')).toBe(true);
  });

  test('it has no options and keeps stored ones', () => {
    const stored = { channelid: 'c', anything: { at: 'all' } };
    expect(sankey.optionsToSave(sankey.effectiveOptions(stored, { columns: [], settings: commonSettings }))).toEqual(stored);
  });

  test('in words', () => {
    expect(sankey.summary(tableOf([{ stage1: 'a', stage2: 'b', stage3: 'c', value: 3000 }]), {}, commonSettings)).toBe(
      'Sankey diagram of 2 flows through 3 stages, the largest a to b (3,000), b to c (3,000).',
    );
  });
});
