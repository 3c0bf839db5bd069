import type { DisplaySettings } from '../../displaySettings.ts';
import { isNumeric } from '../../firstColumn.ts';
import type { ResultTable } from '../../resultTable.ts';
import { attributesOf, type PivotOptions } from '../pivotOptions.ts';
import { aggregatorOf } from './aggregators.ts';
import type { Attribute } from './attribute.ts';
import type { PivotRequest } from './pivotData.ts';

export function pivotRequest(
  { rows, columns }: ResultTable,
  options: PivotOptions,
  settings: DisplaySettings,
  known: Map<string, Attribute>,
): PivotRequest {
  const { aggregatorName, valueFilter } = options;
  const attributes = attributesOf({ columns }, options);
  return {
    rows,
    columns,
    rowAttributes: attributes.rows,
    colAttributes: attributes.cols,
    inputs: inputsOf({ columns }, options),
    aggregatorName,
    valueFilter,
    settings,
    known,
  };
}

/** The chosen columns; a missing one is replaced by the first free column of numbers, so that there is something to see. */
export function inputsOf({ columns }: Pick<ResultTable, 'columns'>, options: PivotOptions): string[] {
  const { values } = attributesOf({ columns }, options);
  const numeric = columns.filter(isNumeric).map(({ name }) => name);
  const offered = [...values.filter((name) => numeric.includes(name)), ...values.filter((name) => !numeric.includes(name))];
  const inputs = options.vals.filter((name) => values.includes(name)).slice(0, aggregatorOf(options.aggregatorName).inputs);
  while (inputs.length < aggregatorOf(options.aggregatorName).inputs) {
    const next = offered.find((name) => !inputs.includes(name)) ?? offered[0];
    if (next === undefined) break;
    inputs.push(next);
  }
  return inputs;
}
