import { expect, test } from 'vitest';
import { multiOptions, quotationExample, quotationOf, quotations } from './quotation.ts';

test('screens 8.2: a quotation is read back as it was written', () => {
  for (const { value } of quotations) expect(quotationOf(multiOptions(value))).toBe(value);
  expect(quotationOf(null)).toBe('none');
});

test('screens 8.2: the example', () => {
  expect(quotationExample('single')).toBe("Placed in query as: 'value1','value2','value3'");
});
