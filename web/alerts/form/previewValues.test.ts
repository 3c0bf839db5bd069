import { renderTemplate } from '@telltale/domain/alerts/template.ts';
import { expect, test } from 'vitest';
import { newDraft } from '../draft.ts';
import { previewValues } from './previewValues.ts';

test('server-behaviour 14.5: the preview knows name, friendly name and type of each column, as what is sent does', () => {
  const columns = [
    { name: 'v', friendly_name: 'Pressure', type: 'float' as const },
    { name: 'id', friendly_name: 'id', type: 'integer' as const },
  ];
  const source = { alertId: null, name: 'High', columns, rows: [{ v: 5.5, id: 1 }] };
  const values = previewValues({ ...newDraft, column: 'v' }, source, 'triggered', 0, 'https://console.example');
  expect(renderTemplate('{{#QUERY_RESULT_COLS}}{{name}}/{{friendly_name}}/{{type}} {{/QUERY_RESULT_COLS}}', values)).toBe(
    'v/Pressure/float id/id/integer ',
  );
  expect(values.QUERY_RESULT_TABLE).toEqual([[5.5, 1]]);
});
