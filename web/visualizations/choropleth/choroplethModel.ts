import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { cellReader, plainText } from '../cellValue.ts';
import { isNumeric } from '../firstColumn.ts';
import { numericValue } from '../numericValue.ts';
import type { ResultTable } from '../resultTable.ts';
import type { ChoroplethOptions } from './choroplethOptions.ts';
import { type ColorClass, classOf, colorClasses } from './colorClasses.ts';
import { mapTypes } from './mapTypes.ts';
import type { Shape, ShapeProperties, Shapes } from './shapes.ts';

interface Mapping {
  keyColumn: string | null;
  targetField: string | null;
  valueColumn: string | null;
}

export interface DrawnShape {
  shape: Shape;
  /** Null without a row, or without a number in it. */
  value: number | null;
  color: string | null;
  row: ResultRow | null;
}

export interface ChoroplethModel {
  mapping: Mapping;
  shapes: readonly DrawnShape[];
  classes: readonly ColorClass[];
  /** Keys without a shape: the first few, and the number of rows. */
  unknown: { keys: readonly string[]; rows: number };
}

const mostVoters = 500;
const mostKeyColumns = 50;
const mostUnknown = 3;

/** visualizations 10: rows match shapes by exact text, and the last row wins. */
export function choroplethModel(table: ResultTable, shapes: Shapes, options: ChoroplethOptions): ChoroplethModel {
  const mapping = mappingOf(table, shapes, options);
  const { rows, unknown } = joined(table.rows, shapes, mapping);
  const readValue = mapping.valueColumn === null ? () => null : cellReader(mapping.valueColumn);
  const found = shapes.features.map((shape) => {
    const row = rows.get(shape) ?? null;
    return { shape, row, value: row && numericValue(readValue(row)) };
  });
  const values = found.flatMap(({ value }) => value ?? []);
  const classes = colorClasses(values, options.clusteringMode, options.steps, options.colors.min, options.colors.max);
  return {
    mapping,
    classes,
    unknown,
    shapes: found.map((one) => ({ ...one, color: one.value === null ? null : (classOf(one.value, classes)?.color ?? null) })),
  };
}

/** Countries had other names; a three-digit code may have lost its leading zeros. */
function namesOf({ properties }: Shape, field: string): string[] {
  const name = properties[field];
  const { former } = properties;
  const before = typeof former === 'object' && former !== null && Object.hasOwn(former, field) ? (former[field] ?? []) : [];
  return typeof name === 'string' ? [name, ...before] : [];
}
const keyText = (value: unknown, field: string): string => {
  const text = plainText(value);
  return field === 'iso_n3' && typeof value === 'number' ? text.padStart(3, '0') : text;
};

/** One field may name several shapes, such as all prefectures of a region. */
function shapesByKey({ features }: Shapes, field: string): Map<string, Shape[]> {
  const byKey = new Map<string, Shape[]>();
  for (const shape of features) {
    for (const name of namesOf(shape, field)) byKey.set(name, [...(byKey.get(name) ?? []), shape]);
  }
  return byKey;
}

function joined(rows: readonly ResultRow[], shapes: Shapes, { keyColumn, targetField }: Mapping) {
  const result = new Map<Shape, ResultRow>();
  const unknown = new Set<string>();
  let count = 0;
  if (keyColumn === null || targetField === null) return { rows: result, unknown: { keys: [], rows: 0 } };
  const read = cellReader(keyColumn);
  const byKey = shapesByKey(shapes, targetField);
  for (const row of rows) {
    const key = keyText(read(row), targetField);
    const found = byKey.get(key);
    for (const shape of found ?? []) result.set(shape, row);
    if (found || key === '') continue;
    count += 1;
    if (unknown.size < mostUnknown) unknown.add(key.slice(0, 60));
  }
  return { rows: result, unknown: { keys: [...unknown], rows: count } };
}

/** Complaint 35: settings that are not chosen take the best match. */
function mappingOf({ columns, rows }: ResultTable, shapes: Shapes, options: ChoroplethOptions): Mapping {
  const fields = options.targetField === null ? Object.keys(mapTypes[options.mapType].fields) : [options.targetField];
  const keyColumns =
    options.keyColumn === null
      ? columns.filter(({ name }) => name !== options.valueColumn).slice(0, mostKeyColumns)
      : columns.filter(({ name }) => name === options.keyColumn);
  const step = Math.max(1, Math.ceil(rows.length / mostVoters));
  const sample = rows.filter((_, at) => at % step === 0);
  let best: { key: ResultColumn; field: string; hits: number } | null = null;
  for (const field of fields) {
    const byKey = shapesByKey(shapes, field);
    for (const key of keyColumns) {
      const read = cellReader(key.name);
      const hits = sample.reduce((sum, row) => sum + (byKey.has(keyText(read(row), field)) ? 1 : 0), 0);
      if (hits > (best?.hits ?? 0)) best = { key, field, hits };
    }
  }
  const keyColumn = options.keyColumn ?? best?.key.name ?? null;
  const targetField = options.targetField ?? best?.field ?? (options.keyColumn === null ? null : (fields[0] ?? null));
  return { keyColumn, targetField, valueColumn: options.valueColumn ?? firstNumber(columns, keyColumn) };
}

export const firstNumber = (columns: readonly ResultColumn[], not: string | null): string | null =>
  columns.find((column) => isNumeric(column) && column.name !== not)?.name ?? null;

export const propertyText = (properties: ShapeProperties, field: string): string | undefined => {
  const value = Object.hasOwn(properties, field) ? properties[field] : undefined;
  return typeof value === 'string' ? value : value === null ? '' : undefined;
};
