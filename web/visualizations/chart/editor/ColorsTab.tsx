import { useMemo, useState } from 'react';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { useChartColors } from '../../echarts/EChart.tsx';
import { ColorPicker } from '../../editor/ColorPicker.tsx';
import { seriesOptionsOf, valueColorOf, withEntry } from '../chartOptions.ts';
import { automaticColor, customHeat, heatDefaults, heatSchemes, productScheme, schemeNames } from '../colors.ts';
import { pieModel, sliceNames } from '../model/pie.ts';
import { isMomentColumn, textsOf } from '../model/texts.ts';
import type { ChartTabProps } from './ChartTab.ts';
import { Choice } from './Choice.tsx';
import styles from './Tab.module.css';

/** visualizations 5.16, Colors. */
export function ColorsTab(props: ChartTabProps) {
  switch (props.options.globalSeriesType) {
    case 'heatmap':
      return <HeatColors {...props} />;
    case 'pie':
      return <SliceColors {...props} />;
    default:
      return <SeriesColors {...props} />;
  }
}

function SeriesColors({ options, onOptionsChange, base }: ChartTabProps) {
  const { series = [] } = base ?? {};
  return (
    <div className={styles.tab}>
      <Scheme options={options} onOptionsChange={onOptionsChange} />
      <ColorList
        scheme={options.color_scheme}
        items={series.map(({ key, name }) => ({ key, name, color: seriesOptionsOf(options, key).color ?? null }))}
        onChange={(key, color) => onOptionsChange({ seriesOptions: withEntry(options.seriesOptions, key, { color }) })}
      />
    </div>
  );
}

function SliceColors({ options, settings, onOptionsChange, base, table }: ChartTabProps) {
  const names = useMemo(() => {
    if (!base) return [];
    const isMoment = isMomentColumn(table.columns, base.mapping.x);
    return pieModel(base, options, new Set(), sliceNames(textsOf(options, settings), isMoment)).names;
  }, [base, options, settings, table.columns]);
  return (
    <div className={styles.tab}>
      <Scheme options={options} onOptionsChange={onOptionsChange} />
      <ColorList
        scheme={options.color_scheme}
        items={names.map((one) => ({ ...one, color: valueColorOf(options, one) ?? null }))}
        onChange={(key, color) => onOptionsChange({ valuesOptions: withEntry(options.valuesOptions, key, { color }) })}
      />
    </div>
  );
}

function Scheme({ options: { color_scheme }, onOptionsChange }: Pick<ChartTabProps, 'options' | 'onOptionsChange'>) {
  const known = schemeNames.some(([value]) => value === color_scheme) ? color_scheme : productScheme;
  return <Choice label="Color Scheme" value={known} options={schemeNames} onChange={(next) => onOptionsChange({ color_scheme: next })} />;
}

interface ColorListProps {
  scheme: string;
  items: readonly { key: string; name: string; color: string | null }[];
  onChange: (key: string, color: string | null) => void;
}

const [many, most] = [15, 100];

function ColorList({ scheme, items, onChange }: ColorListProps) {
  const { series } = useChartColors();
  const [term, setTerm] = useState('');
  const found = items
    .map((item, at) => ({ ...item, automatic: automaticColor(scheme, at, items.length, series) }))
    .filter(({ name }) => name.toLowerCase().includes(term.toLowerCase()));
  return (
    <>
      {items.length > many && <SearchBox value={term} onSearch={setTerm} placeholder="Find a series..." label="Find a series" />}
      <ul className={styles.list} aria-label="Colors">
        {found.slice(0, most).map(({ key, name, color, automatic }) => (
          <li key={key} className={styles.color}>
            <ColorPicker label={`Color of ${name}`} value={color} automatic={automatic} onChange={(next) => onChange(key, next)} />
            <span title={name}>{name || '(no name)'}</span>
          </li>
        ))}
      </ul>
      {found.length > most && <p className={styles.note}>And {found.length - most} more: search for one to colour it.</p>}
    </>
  );
}

const automaticHeat = 'Blue to red';

function HeatColors({ options: { colorScheme, heatMinColor, heatMaxColor }, onOptionsChange }: ChartTabProps) {
  const schemes = [automaticHeat, customHeat, ...Object.keys(heatSchemes)].map((name): [string, string] => [name, name]);
  const current = colorScheme !== undefined && schemes.some(([name]) => name === colorScheme) ? colorScheme : automaticHeat;
  return (
    <div className={styles.tab}>
      <Choice
        label="Color Scheme"
        value={current}
        options={schemes}
        onChange={(next) => onOptionsChange({ colorScheme: next === automaticHeat ? '' : next })}
      />
      {current === customHeat && (
        <ul className={styles.list} aria-label="Colors">
          <li className={styles.color}>
            <ColorPicker
              label="Min Color"
              value={heatMinColor ?? heatDefaults.min}
              onChange={(color) => color && onOptionsChange({ heatMinColor: color })}
            />
            <span>Min Color</span>
          </li>
          <li className={styles.color}>
            <ColorPicker
              label="Max Color"
              value={heatMaxColor ?? heatDefaults.max}
              onChange={(color) => color && onOptionsChange({ heatMaxColor: color })}
            />
            <span>Max Color</span>
          </li>
        </ul>
      )}
    </div>
  );
}
