import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineVisualization } from './define.ts';
import { commonSettings } from './displaySettings.ts';
import { findVisualization, offeredVisualizations, visualizations } from './index.ts';
import { resultTable } from './resultTable.ts';

const source = { columns: [{ name: 'a', type: 'integer' as const }], settings: commonSettings };
const table = resultTable({ columns: source.columns, rows: [{ a: 1 }, { a: 2 }] });

const gauge = defineVisualization({
  type: 'GAUGE',
  name: 'Gauge',
  options: z.looseObject({ size: z.number().catch(7), nested: z.looseObject({ on: z.boolean().catch(true) }).catch({ on: true }) }),
  transient: ['zoom'],
  size: { width: 2, height: 5, minWidth: 1, minHeight: 1 },
  summary: ({ rows }, { size }) => `${rows.length} rows, size ${size}`,
  Renderer: async () => {
    throw new Error('not loaded here');
  },
});

describe('visualizations 0.2: options', () => {
  test('rule 2: defaults below stored options', () => {
    expect(gauge.effectiveOptions({}, source)).toEqual({ size: 7, nested: { on: true } });
    expect(gauge.effectiveOptions({ size: 3, nested: { on: false } }, source)).toEqual({ size: 3, nested: { on: false } });
  });

  test('rule 3: unknown keys stay, at every depth', () => {
    const stored = { channelid: 'c', device_ids: ['d'], nested: { on: true, more: 1 } };
    expect(gauge.optionsToSave(gauge.effectiveOptions(stored, source))).toEqual({ size: 7, ...stored });
  });

  test.each([null, undefined, 'text', 7, [], [1]])('%j counts as nothing stored', (stored) => {
    expect(gauge.effectiveOptions(stored, source)).toEqual({ size: 7, nested: { on: true } });
  });

  test('what lives only on the page is not saved', () => {
    expect(gauge.optionsToSave({ size: 1, zoom: 2 })).toEqual({ size: 1 });
  });

  test('a summary is made of effective options', () => {
    expect(gauge.summary(table, { size: 'large' }, commonSettings)).toBe('2 rows, size 7');
  });

  test('a kind may have no settings, and code that does not come is not fatal', async () => {
    expect(gauge.edit).toBeNull();
    await gauge.preload();
    expect(gauge.isLoaded()).toBe(false);
  });
});

describe('1: the registry', () => {
  test('types are unique and every kind accepts nothing at all', () => {
    expect(new Set(visualizations.map(({ type }) => type)).size).toBe(visualizations.length);
    for (const kind of visualizations) expect(() => kind.effectiveOptions({}, { columns: [], settings: commonSettings })).not.toThrow();
  });

  test('a type that nobody knows is nobody', () => {
    expect(findVisualization('HOLOGRAM')).toBeUndefined();
    expect(findVisualization('constructor')).toBeUndefined();
  });

  test('the picker has no deprecated kinds and is in order', () => {
    const names = offeredVisualizations().map(({ name }) => name);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
    expect(offeredVisualizations().some(({ isDeprecated }) => isDeprecated)).toBe(false);
  });
});

describe('visualizations 4.1: TABLE', () => {
  const kind = findVisualization('TABLE');

  test('a new one has all columns, 25 a page', () => {
    expect(kind?.effectiveOptions({}, source)).toMatchObject({ itemsPerPage: 25, columns: [{ name: 'a', displayAs: 'number' }] });
  });

  test('Q5: paginationSize is removed before save, unknown keys are not', () => {
    const options = kind?.effectiveOptions({ paginationSize: 'small', itemsPerPage: 50, channelid: 'c' }, source) ?? {};
    expect(kind?.optionsToSave(options)).toMatchObject({ itemsPerPage: 50, channelid: 'c' });
    expect(kind?.optionsToSave(options)).not.toHaveProperty('paginationSize');
  });

  test('a page size of nonsense is the default', () => {
    for (const itemsPerPage of [0, -5, 2.5, '25', null]) {
      expect(kind?.effectiveOptions({ itemsPerPage }, source)).toMatchObject({ itemsPerPage: 25 });
    }
  });

  test('it says what it holds', () => {
    expect(kind?.summary(table, {}, commonSettings)).toBe('Table of 2 rows and 1 column: a.');
  });
});
