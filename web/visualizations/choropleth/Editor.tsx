import { InputNumber, Tabs } from 'antd';
import { useMemo } from 'react';
import type { EditorProps } from '../define.ts';
import { Field } from '../editor/Field.tsx';
import { CheckField, ColorField, ColumnField, Fields, FormatField, NumberField, SelectField, TextField } from '../editor/fields.tsx';
import { BoundsNote } from '../geo/BoundsNote.tsx';
import styles from '../geo/GeoEditor.module.css';
import { WordsFields } from '../geo/WordsFields.tsx';
import { choroplethModel } from './choroplethModel.ts';
import {
  alignments,
  type ChoroplethOptions,
  type ClusteringMode,
  clusteringModes,
  extentOfBounds,
  type LegendPosition,
  legendPositions,
  type StoredBounds,
} from './choroplethOptions.ts';
import { mapTypes, popupTemplate } from './mapTypes.ts';
import { type MapType, shapesExtent } from './shapes.ts';
import { useShapes } from './useShapes.ts';

type Props = EditorProps<ChoroplethOptions>;
const choices = <K extends string>(labels: Readonly<Record<K, string>>) =>
  (Object.keys(labels) as K[]).map((value) => ({ value, label: labels[value] }));

/** visualizations 10. */
export default function ChoroplethEditor(props: Props) {
  return (
    <Tabs
      items={[
        { key: 'general', label: 'General', children: <General {...props} /> },
        { key: 'colors', label: 'Colors', children: <Colors {...props} /> },
        { key: 'format', label: 'Format', children: <Format {...props} /> },
        { key: 'bounds', label: 'Bounds', children: <Bounds {...props} /> },
      ]}
    />
  );
}

function General({ table, options, onOptionsChange }: Props) {
  const { mapType, keyColumn, targetField, valueColumn } = options;
  const shapes = useShapes(mapType);
  const found = useMemo(() => (shapes ? choroplethModel(table, shapes, options).mapping : null), [table, shapes, options]);
  const { fields } = mapTypes[mapType];
  const automatic = (name: string | null | undefined) => (name ? `Automatic (${name})` : 'Automatic');
  return (
    <Fields>
      <SelectField<MapType>
        label="Map"
        value={mapType}
        options={(Object.keys(mapTypes) as MapType[]).map((value) => ({ value, label: mapTypes[value].name }))}
        // Another map has other fields and other bounds.
        onChange={(value) => onOptionsChange({ mapType: value, targetField: null, bounds: undefined })}
      />
      <ColumnField
        label="Key Column"
        value={keyColumn}
        none={automatic(found?.keyColumn)}
        columns={table.columns}
        onChange={(name) => onOptionsChange({ keyColumn: name || null })}
      />
      <SelectField
        label="Target Field"
        value={targetField ?? ''}
        options={[
          { value: '', label: automatic(found?.targetField && fields[found.targetField]) },
          ...choices(fields),
          ...(targetField && !(targetField in fields) ? [{ value: targetField, label: targetField }] : []),
        ]}
        onChange={(value) => onOptionsChange({ targetField: value || null })}
      />
      <ColumnField
        label="Value Column"
        value={valueColumn}
        none={automatic(found?.valueColumn)}
        columns={table.columns}
        onChange={(name) => onOptionsChange({ valueColumn: name || null })}
      />
    </Fields>
  );
}

function Colors({ options: { clusteringMode, steps, colors }, onOptionsChange }: Props) {
  const field = (label: string, name: keyof ChoroplethOptions['colors']) => (
    <ColorField label={label} value={colors[name]} onChange={(value) => onOptionsChange({ colors: { ...colors, [name]: value } })} />
  );
  return (
    <Fields>
      <SelectField<ClusteringMode>
        label="Clustering Mode"
        value={clusteringMode}
        options={choices(clusteringModes)}
        onChange={(value) => onOptionsChange({ clusteringMode: value })}
      />
      <NumberField label="Steps" value={steps} min={3} max={11} isWhole onChange={(value) => onOptionsChange({ steps: value ?? 5 })} />
      {field('Min Color', 'min')}
      {field('Max Color', 'max')}
      {field('No Value Color', 'noValue')}
      {field('Background Color', 'background')}
      {field('Borders Color', 'borders')}
    </Fields>
  );
}

function Format({ options, onOptionsChange }: Props) {
  const { valueFormat, noValuePlaceholder, legend, tooltip, popup, mapType } = options;
  const hint =
    'Columns as {{ column_name }}, the value as {{ @@value }}, the shape as {{ @@name }} and its other fields; HTML is sanitised.';
  return (
    <Fields>
      <FormatField label="Value Format" value={valueFormat} onChange={(value) => onOptionsChange({ valueFormat: value })} />
      <TextField
        label="Value Placeholder"
        value={noValuePlaceholder}
        onChange={(value) => onOptionsChange({ noValuePlaceholder: value })}
      />
      <CheckField label="Show Legend" value={legend.visible} onChange={(visible) => onOptionsChange({ legend: { ...legend, visible } })} />
      <div className={styles.pair}>
        <SelectField<LegendPosition>
          label="Legend Position"
          value={legend.position}
          isDisabled={!legend.visible}
          options={choices(legendPositions)}
          onChange={(position) => onOptionsChange({ legend: { ...legend, position } })}
        />
        <SelectField<(typeof alignments)[number]>
          label="Legend Text Alignment"
          value={legend.alignText}
          isDisabled={!legend.visible}
          options={alignments.map((value) => ({ value, label: value }))}
          onChange={(alignText) => onOptionsChange({ legend: { ...legend, alignText } })}
        />
      </div>
      <WordsFields
        words={tooltip}
        showLabel="Show Tooltip"
        templateLabel="Tooltip Template"
        note={hint}
        onChange={(next) => onOptionsChange({ tooltip: next })}
      />
      <WordsFields
        words={{ ...popup, template: popupTemplate(popup.template, mapType) }}
        showLabel="Show Popup"
        templateLabel="Popup Template"
        note={hint}
        onChange={(next) => onOptionsChange({ popup: { ...popup, ...next } })}
      />
    </Fields>
  );
}

function Bounds({ options: { bounds, mapType }, onOptionsChange }: Props) {
  const shapes = useShapes(mapType);
  const all = shapes && shapesExtent(shapes);
  const shown: StoredBounds =
    bounds ??
    (all
      ? [
          [all.south, all.west],
          [all.north, all.east],
        ]
      : [
          [-90, -180],
          [90, 180],
        ]);
  const set = (corner: 0 | 1, part: 0 | 1, value: number | null) => {
    if (value === null) return;
    const next: StoredBounds = [[...shown[0]], [...shown[1]]];
    next[corner][part] = value;
    if (extentOfBounds(next)) onOptionsChange({ bounds: next });
  };
  const pair = (label: string, corner: 0 | 1) => (
    <Field label={label}>
      {(id) => (
        <div className={styles.pair}>
          <InputNumber<number> id={id} value={shown[corner][0]} min={-90} max={90} step={1} onChange={(value) => set(corner, 0, value)} />
          <InputNumber<number>
            aria-label={`${label}: longitude`}
            value={shown[corner][1]}
            min={-360}
            max={360}
            step={1}
            onChange={(value) => set(corner, 1, value)}
          />
        </div>
      )}
    </Field>
  );
  return (
    <Fields>
      {pair('North-East Latitude and Longitude', 1)}
      {pair('South-West Latitude and Longitude', 0)}
      <BoundsNote isStored={bounds !== undefined} onReset={() => onOptionsChange({ bounds: undefined })} />
    </Fields>
  );
}
