import type { ColumnType, ResultColumn } from '@telltale/domain/results/contract.ts';
import { z } from 'zod';
import type { DisplaySettings } from '../displaySettings.ts';
import { displayName } from '../filters/columnName.ts';

export const displayKinds = ['string', 'number', 'datetime', 'boolean', 'json', 'image', 'link'] as const;
export type DisplayKind = (typeof displayKinds)[number];
export const alignments = ['left', 'center', 'right'] as const;
export type Alignment = (typeof alignments)[number];

/** visualizations 4.1: every key is stored for every column, so that changing the display back restores its settings. */
export interface ColumnOptions {
  name: string;
  type: string | null;
  displayAs: DisplayKind;
  visible: boolean;
  order: number;
  title: string;
  alignContent: Alignment;
  allowSearch: boolean;
  description: string;
  allowHTML: boolean;
  highlightLinks: boolean;
  dateTimeFormat?: string | undefined;
  numberFormat?: string | undefined;
  booleanValues: [string, string];
  nullValue: string;
  imageUrlTemplate: string;
  imageTitleTemplate: string;
  imageWidth: string;
  imageHeight: string;
  linkUrlTemplate: string;
  linkTextTemplate: string;
  linkTitleTemplate: string;
  linkOpenInNewTab: boolean;
  [unknown: string]: unknown;
}

const text = z.string().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
/** Width and height, which older options store as numbers. */
const textOrNumber = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);

/** Stored column options: any part, in any state. A value of the wrong kind counts as missing. */
const SavedColumn = z.looseObject({
  name: z.string(),
  type: z.string().nullable().optional().catch(undefined),
  displayAs: z.enum(displayKinds).optional().catch(undefined),
  visible: flag,
  order: z.number().optional().catch(undefined),
  title: text,
  alignContent: z.enum(alignments).optional().catch(undefined),
  allowSearch: flag,
  description: text,
  allowHTML: flag,
  highlightLinks: flag,
  dateTimeFormat: text,
  numberFormat: text,
  booleanValues: z
    .tuple([z.union([z.string(), z.boolean()]).transform(String), z.union([z.string(), z.boolean()]).transform(String)])
    .optional()
    .catch(undefined),
  nullValue: text,
  imageUrlTemplate: text,
  imageTitleTemplate: text,
  imageWidth: textOrNumber,
  imageHeight: textOrNumber,
  linkUrlTemplate: text,
  linkTextTemplate: text,
  linkTitleTemplate: text,
  linkOpenInNewTab: flag,
});
export type SavedColumn = z.infer<typeof SavedColumn>;

/** A list without its unreadable items. */
export const SavedColumns = z
  .array(z.unknown())
  .catch([])
  .transform((all) =>
    all.flatMap((one) => {
      const parsed = SavedColumn.safeParse(one);
      return parsed.success ? [parsed.data] : [];
    }),
  );

const displayOf: Readonly<Record<NonNullable<ColumnType>, DisplayKind>> = {
  integer: 'number',
  float: 'number',
  boolean: 'boolean',
  date: 'datetime',
  datetime: 'datetime',
  string: 'string',
};
const own = '{{ @ }}';

function defaultsOf({ name, type }: ResultColumn, index: number, settings: DisplaySettings): ColumnOptions {
  return {
    name,
    type,
    displayAs: type === null ? 'string' : displayOf[type],
    visible: true,
    order: 100_000 + index,
    title: displayName(name),
    alignContent: type === null || type === 'string' ? 'left' : 'right',
    allowSearch: false,
    description: '',
    allowHTML: false,
    highlightLinks: false,
    dateTimeFormat: type === 'date' ? settings.dateFormat : type === 'datetime' ? settings.dateTimeFormat : undefined,
    numberFormat: type === 'integer' ? settings.integerFormat : type === 'float' ? settings.floatFormat : undefined,
    booleanValues: [...(settings.booleanValues ?? (['false', 'true'] as const))],
    nullValue: settings.nullValue,
    imageUrlTemplate: own,
    imageTitleTemplate: own,
    imageWidth: '',
    imageHeight: '',
    linkUrlTemplate: own,
    linkTextTemplate: own,
    linkTitleTemplate: own,
    linkOpenInNewTab: true,
  };
}

/**
 * visualizations 4.2: the columns of the query with their saved options. Saved places count only if a column was moved; new columns then
 * come last, otherwise where the query has them.
 */
export function reconcileColumns(
  columns: readonly ResultColumn[],
  saved: readonly SavedColumn[],
  settings: DisplaySettings,
): ColumnOptions[] {
  const isMoved = wasReordered(columns, saved);
  const savedByName = new Map(saved.map((column, index) => [column.name, { ...column, order: isMoved ? index : undefined }]));
  return columns
    .map((column, index): ColumnOptions => ({ ...defaultsOf(column, index, settings), ...defined(savedByName.get(column.name)) }))
    .sort((a, b) => a.order - b.order);
}

function wasReordered(columns: readonly ResultColumn[], saved: readonly SavedColumn[]): boolean {
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const order = [...new Set(saved.map(({ name }) => name))].flatMap((name) => places.get(name) ?? []);
  return order.some((place, at) => at > 0 && place < (order[at - 1] ?? 0));
}

function defined(saved: SavedColumn | undefined): SavedColumn | undefined {
  if (!saved) return undefined;
  const given = Object.entries(saved).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), name: saved.name };
}
