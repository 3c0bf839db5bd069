import type { MultiValuesOptions } from '@telltale/domain/parameters/contract.ts';

/** Screens 8.2: the quotation of each of several values; the separator is always a comma. */
export const quotations = [
  { value: 'none', label: 'None (default)', mark: '' },
  { value: 'single', label: 'Single Quotation Mark', mark: "'" },
  { value: 'double', label: 'Double Quotation Mark', mark: '"' },
] as const;
export type Quotation = (typeof quotations)[number]['value'];

export function quotationOf(options: MultiValuesOptions | null | undefined): Quotation {
  return quotations.find(({ mark }) => mark === (options?.prefix ?? ''))?.value ?? 'none';
}

export function multiOptions(quotation: Quotation): MultiValuesOptions {
  const mark = quotations.find(({ value }) => value === quotation)?.mark ?? '';
  return { prefix: mark, suffix: mark, separator: ',' };
}

/** "Placed in query as: 'value1','value2','value3'" */
export function quotationExample(quotation: Quotation): string {
  const { prefix = '', suffix = '' } = multiOptions(quotation);
  return `Placed in query as: ${[1, 2, 3].map((count) => `${prefix}value${count}${suffix}`).join(',')}`;
}
