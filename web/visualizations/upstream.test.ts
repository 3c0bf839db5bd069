import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { expect, test } from 'vitest';
import { commonSettings } from './displaySettings.ts';
import { findVisualization } from './index.ts';
import { resultTable } from './resultTable.ts';

const column = (name: string, type: ResultColumn['type']): ResultColumn => ({ name, type });
const columns = [
  column('date', 'date'),
  column('day_number', 'integer'),
  column('total', 'integer'),
  column('value', 'integer'),
  column('counter', 'float'),
  column('stage', 'string'),
];
const table = resultTable({
  columns,
  rows: [1, 2, 3].map((at) => ({ date: `2024-02-0${at}`, day_number: 0, total: 10, value: at, counter: 1.5 * at, stage: `s${at}` })),
});

const pivotState = {
  controls: { enabled: true },
  rendererOptions: { table: { colTotals: false, rowTotals: true } },
  rows: ['stage'],
  cols: ['date'],
  vals: ['value'],
  aggregatorName: 'Sum',
  rendererName: 'Table Heatmap',
  valueFilter: { stage: { s1: true } },
  sorters: {},
  rowOrder: 'value_z_to_a',
  colOrder: 'key_a_to_z',
  derivedAttributes: {},
  hiddenAttributes: [],
  hiddenFromAggregators: [],
  hiddenFromDragDrop: [],
  menuLimit: 500,
  unusedOrientationCutoff: 85,
};
const cohortState = {
  timeInterval: 'weekly',
  mode: 'simple',
  dateColumn: 'date',
  stageColumn: 'day_number',
  totalColumn: 'total',
  valueColumn: 'value',
};

/** Options stored by upstream: of its first generation, then of the present one. Unknown options are kept. */
test.each([
  ['COUNTER', { counterColName: 'value', rowNumber: 2, targetColName: 'total', targetRowNumber: 1, autoRedraw: true }],
  [
    'COUNTER',
    {
      counterLabel: 'Devices',
      counterColName: 'counter',
      rowNumber: -1,
      targetRowNumber: 1,
      stringDecimal: 2,
      stringDecChar: ',',
      stringThouSep: '.',
      stringPrefix: '€',
      stringSuffix: '',
      countRow: false,
      formatTargetValue: true,
      tooltipFormat: '0,0.000',
    },
  ],
  ['DETAILS', {}],
  ['DETAILS', { columns: [{ name: 'stage', title: 'Stage', visible: true, displayAs: 'string', alignContent: 'right', allowHTML: true }] }],
  [
    'FUNNEL',
    {
      stepCol: { colName: 'stage', displayAs: 'Steps', dragDrop: 1 },
      valueCol: { colName: 'value', displayAs: 'Value' },
      sortKeyCol: { colName: 'value', reverse: true },
      autoSort: true,
    },
  ],
  [
    'FUNNEL',
    {
      stepCol: { colName: 'stage', displayAs: 'Stage' },
      valueCol: { colName: 'value', displayAs: 'Devices' },
      autoSort: false,
      sortKeyCol: { colName: 'day_number', reverse: false },
      itemsLimit: 7,
      percentValuesRange: { min: 1, max: 100 },
      numberFormat: '0',
      percentFormat: '0%',
    },
  ],
  ['COHORT', cohortState],
  [
    'COHORT',
    {
      ...cohortState,
      showTooltips: false,
      percentValues: false,
      timeColumnTitle: 'When',
      peopleColumnTitle: 'Who',
      stageColumnTitle: 'Day {{ @ }}',
      numberFormat: '0',
      percentFormat: '0%',
      noValuePlaceholder: '?',
      colors: { min: '#FFFFFF', max: '#E92828', steps: 3 },
    },
  ],
  ['PIVOT', { controls: { enabled: false }, rendererOptions: { table: { colTotals: true, rowTotals: true } } }],
  ['PIVOT', { ...pivotState, inclusions: {}, inclusionsInfo: {}, autoSortUnusedAttrs: false }],
  ['PIVOT', pivotState],
  ['BATTERY', { range: [3, 4.2], channelid: 'weather', device_ids: ['roof-1'] }],
  ['LIVE_UPLINK', { channelid: 'weather', device_ids: ['roof-1', 'roof-2'] }],
])('20.1: %s loads, says something and survives a save with nothing but defaults added', (type, stored) => {
  const kind = findVisualization(type);
  if (!kind) throw new Error(`${type} is not registered`);
  const source = { columns: table.columns, settings: commonSettings };
  const saved = JSON.parse(JSON.stringify(kind.optionsToSave(kind.effectiveOptions(stored, source))));
  expect(saved).toMatchObject(
    'columns' in stored ? { columns: expect.arrayContaining([expect.objectContaining(stored.columns[0])]) } : stored,
  );
  expect(kind.optionsToSave(kind.effectiveOptions(saved, source))).toEqual(saved);
  expect(kind.summary(table, stored, commonSettings)).not.toBe('');
});
