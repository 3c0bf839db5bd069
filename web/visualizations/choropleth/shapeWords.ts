import { numberFormatter } from '@telltale/domain/visualizations/number-format.ts';
import { type DisplaySettings, separatorsOf } from '../displaySettings.ts';
import { fillTemplate, type Lookup } from '../template.ts';
import { type DrawnShape, propertyText } from './choroplethModel.ts';
import type { ChoroplethOptions } from './choroplethOptions.ts';
import { popupTemplate } from './mapTypes.ts';

export interface ShapeWords {
  value: (value: number | null) => string;
  /** HTML that still has to be sanitised; null where it is switched off. */
  tooltip: (shape: DrawnShape) => string | null;
  popup: (shape: DrawnShape) => string | null;
  /** Plain text, for screen readers. */
  label: (shape: DrawnShape) => string;
}

/** visualizations 10: fills in `@@value`, `@@` with a property of the shape, and every column. */
export function shapeWords(
  { valueFormat, noValuePlaceholder, tooltip, popup, mapType }: ChoroplethOptions,
  settings: DisplaySettings,
): ShapeWords {
  const format = numberFormatter(valueFormat, separatorsOf(settings));
  const value = (number: number | null) => (number === null ? noValuePlaceholder : format(number));
  const lookup =
    ({ shape, value: number, row }: DrawnShape): Lookup =>
    (name) => {
      if (name === '@@value') return value(number);
      if (name.startsWith('@@')) return propertyText(shape.properties, name.slice(2));
      return row && Object.hasOwn(row, name) ? row[name] : undefined;
    };
  return {
    value,
    tooltip: (shape) => (tooltip.enabled ? fillTemplate(tooltip.template, lookup(shape)) : null),
    popup: (shape) => (popup.enabled ? fillTemplate(popupTemplate(popup.template, mapType), lookup(shape)) : null),
    label: (shape) => `${shapeName(shape)}: ${value(shape.value)}`,
  };
}

const shapeName = ({ shape: { properties } }: DrawnShape): string => propertyText(properties, 'name') || 'Unnamed';
