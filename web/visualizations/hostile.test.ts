import { describe, expect, test } from 'vitest';
import { commonSettings } from './displaySettings.ts';
import { hostileResults } from './gallery/hostileResults.ts';
import { visualizations } from './index.ts';
import { resultTable } from './resultTable.ts';

const oddOptions: unknown[] = [
  {},
  null,
  'text',
  { columns: 'x', range: [1], colors: 7, rows: [{}], cols: null, vals: [1], valueFilter: [], rowNumber: 'x', steps: -1 },
  JSON.parse('{"__proto__": {"hacked": 1}, "constructor": 7, "columns": [null, {"name": 1}], "range": {"min": "x"}, "controls": 3}'),
];

describe.each(visualizations.map((kind) => [kind.type, kind] as const))('%s', (_type, kind) => {
  test.each(Object.keys(hostileResults))('options and words of a hostile result: %s', (name) => {
    const table = resultTable(hostileResults[name]?.() ?? { columns: [], rows: [] });
    for (const stored of oddOptions) {
      const options = kind.effectiveOptions(stored, { columns: table.columns, settings: commonSettings });
      // Options that are saved and read again are the same.
      const saved = JSON.parse(JSON.stringify(kind.optionsToSave(options)));
      expect(kind.optionsToSave(kind.effectiveOptions(saved, { columns: table.columns, settings: commonSettings }))).toEqual(saved);
      expect(kind.summary(table, stored, commonSettings).length).toBeLessThan(2000);
    }
    expect('hacked' in {}).toBe(false);
  });
});
