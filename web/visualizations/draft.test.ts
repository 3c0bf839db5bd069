import { describe, expect, test } from 'vitest';
import { commonSettings } from './displaySettings.ts';
import { draftFault, draftToStore, kindChoices, newDraft, withType } from './draft.ts';
import { offeredVisualizations } from './index.ts';

const data = { columns: [{ name: 'a', type: 'integer' as const }], rows: [{ a: 1 }] };
const drawn = { data, settings: commonSettings };

describe('3: the editor', () => {
  test('a new one is a chart, where there are charts', () => {
    const [first] = offeredVisualizations();
    const chart = first && { ...first, type: 'CHART', name: 'Chart' };
    const columns = [
      { name: 'time', type: 'datetime' as const },
      { name: 'temperature', type: 'float' as const },
    ];
    const offered = chart ? [...offeredVisualizations(), chart] : [];
    expect(newDraft(columns, offered)).toEqual({
      type: 'CHART',
      name: 'Chart',
      options: { globalSeriesType: 'line', missingValuesAsZero: false },
    });
    expect(newDraft([{ name: 'city', type: 'string' }], offered).options).toEqual({ missingValuesAsZero: false });
    expect(newDraft([], [])).toEqual({ type: 'TABLE', name: 'Table', options: {} });
  });

  test('another type resets the options and takes its name, but not over a typed one', () => {
    expect(withType({ type: 'TABLE', name: 'Table', options: { itemsPerPage: 5 } }, 'COUNTER', [])).toEqual({
      type: 'COUNTER',
      name: 'Counter',
      options: {},
    });
    expect(withType({ type: 'TABLE', name: 'Mine', options: {} }, 'COUNTER', []).name).toBe('Mine');
    expect(withType({ type: 'TABLE', name: ' ', options: {} }, 'COUNTER', []).name).toBe('Counter');
  });

  test('another type keeps the columns that fit it, and what it had before', () => {
    const columns = [
      { name: 'room', type: 'string' as const },
      { name: 'messages', type: 'integer' as const },
    ];
    const chart = { type: 'CHART', name: 'Chart', options: { columnMapping: { room: 'x', messages: 'y', gone: 'y' } } };
    expect(withType(chart, 'COUNTER', columns).options).toEqual({ counterColName: 'messages' });
    expect(withType(chart, 'FUNNEL', columns).options).toEqual({ stepCol: { colName: 'room' }, valueCol: { colName: 'messages' } });
    expect(withType(chart, 'COUNTER', [{ name: 'other', type: 'integer' }]).options).toEqual({});
    expect(withType(chart, 'COUNTER', columns, { counterLabel: 'Mine' }).options).toEqual({ counterLabel: 'Mine' });
    const funnel = withType(chart, 'FUNNEL', columns);
    expect(withType(funnel, 'CHART', columns).options).toMatchObject({ columnMapping: { room: 'x', messages: 'y' } });
  });

  test('a type that is not offered is in the list of its own', () => {
    expect(kindChoices('HOLOGRAM').at(-1)).toEqual({ value: 'HOLOGRAM', label: 'HOLOGRAM' });
    expect(kindChoices('TABLE').filter(({ value }) => value === 'TABLE')).toHaveLength(1);
  });
});

describe('stored options', () => {
  test('visualizations 0.2, rule 2: effective options, with what was inferred', () => {
    const { options } = draftToStore({ type: 'COUNTER', name: ' C ', options: { channelid: 'c' } }, drawn);
    expect(options).toMatchObject({ counterColName: 'a', stringDecimal: 0, channelid: 'c' });
  });

  test('Q5: paginationSize of a TABLE is removed', () => {
    const { options } = draftToStore({ type: 'TABLE', name: 'T', options: { paginationSize: 'small' } }, drawn);
    expect(options).toMatchObject({ itemsPerPage: 25 });
    expect(options).not.toHaveProperty('paginationSize');
  });

  test('a type that nobody knows keeps its options', () => {
    expect(draftToStore({ type: 'HOLOGRAM', name: 'H', options: { a: 1 } }, drawn).options).toEqual({ a: 1 });
  });

  test('Q5: a range with equal ends, and a missing name, keep it from being stored', () => {
    expect(draftFault({ type: 'BATTERY', name: 'B', options: { range: [1, 1] } })).toBe('Range start and end must differ');
    expect(draftFault({ type: 'BATTERY', name: 'B', options: {} })).toBeNull();
    expect(draftFault({ type: 'HOLOGRAM', name: ' ', options: {} })).toBe('A visualization needs a name.');
  });
});
