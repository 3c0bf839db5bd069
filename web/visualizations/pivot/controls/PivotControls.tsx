import { Input, Select } from 'antd';
import { useEffect, useRef, useState } from 'react';
import type { DisplaySettings } from '../../displaySettings.ts';
import type { ResultTable } from '../../resultTable.ts';
import { type AggregatorName, aggregatorNames, aggregatorOf } from '../data/aggregators.ts';
import type { Attribute } from '../data/attribute.ts';
import { inputsOf } from '../data/pivotRequest.ts';
import { attributesOf, type Order, orders, type PivotOptions, type RendererName, rendererNames } from '../pivotOptions.ts';
import { zoneNames } from './AttributeMenu.tsx';
import styles from './Controls.module.css';
import { movedAttribute } from './moveAttribute.ts';
import { type DropPlace, useAttributeDrag } from './useAttributeDrag.ts';
import { ZoneField } from './ZoneField.tsx';

export interface ControlsProps {
  table: ResultTable;
  settings: DisplaySettings;
  options: PivotOptions;
  known: Map<string, Attribute>;
  onChange: (changes: Partial<PivotOptions>) => void;
}

const manyNames = 30;
const orderWords: Readonly<Record<Order, { sign: string; word: string }>> = {
  key_a_to_z: { sign: '↕', word: 'by name' },
  value_a_to_z: { sign: '↑', word: 'by total, smallest first' },
  value_z_to_a: { sign: '↓', word: 'by total, largest first' },
};

/** visualizations 12: the places of attributes, the aggregator, and the renderer. */
export function PivotControls(props: ControlsProps) {
  const { table, options, onChange } = props;
  const root = useRef<HTMLDivElement>(null);
  const focusOn = useRef<string | null>(null);
  const [said, say] = useState('');
  const [term, setTerm] = useState('');
  const { rows, cols, unused } = attributesOf(table, options);
  const isMovable = (name: string) => !options.hiddenFromDragDrop.includes(name);
  const shown = { rows: rows.filter(isMovable), cols: cols.filter(isMovable) };

  const move = ({ name, zone, index }: DropPlace) => {
    const placed = movedAttribute(options, shown, name, zone, index);
    onChange(placed);
    focusOn.current = name;
    const at = zone === 'unused' ? '' : `, ${placed[zone].indexOf(name) + 1} of ${placed[zone].length}`;
    say(`${name} is now in ${zoneNames[zone].toLowerCase()}${at}.`);
  };
  const drag = useAttributeDrag(move);
  // An attribute that changes its zone is rendered anew, and keeps the focus.
  useEffect(() => {
    const name = focusOn.current;
    focusOn.current = null;
    if (name !== null) root.current?.querySelector<HTMLElement>(`[data-attribute="${CSS.escape(name)}"]`)?.focus();
  });

  const letters = unused.reduce((sum, name) => sum + name.length, 0);
  const found = unused.filter((name) => name.toLowerCase().includes(term.toLowerCase()));
  const shared = { ...props, drag, onMove: move };
  return (
    <div ref={root} className={styles.controls}>
      <Choices {...props} />
      <ZoneField {...shared} zone="unused" names={found} isTall={letters > options.unusedOrientationCutoff}>
        {unused.length > manyNames && (
          <Input
            size="small"
            allowClear
            className={styles.find ?? ''}
            placeholder="Find a column..."
            aria-label="Find a column"
            value={term}
            onChange={({ target }) => setTerm(target.value)}
          />
        )}
      </ZoneField>
      <ZoneField {...shared} zone="rows" names={shown.rows} />
      <ZoneField {...shared} zone="cols" names={shown.cols} />
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </div>
  );
}

function Choices({ table, options, onChange }: ControlsProps) {
  const { values } = attributesOf(table, options);
  const inputs = inputsOf(table, options);
  const choose = (at: number, name: string) => onChange({ vals: inputs.with(at, name) });
  return (
    <div className={styles.choices}>
      <Select<RendererName>
        size="small"
        aria-label="Drawn as"
        value={options.rendererName}
        popupMatchSelectWidth={false}
        options={rendererNames.map((value) => ({ value, label: value }))}
        onChange={(rendererName) => onChange({ rendererName })}
      />
      <Select<AggregatorName>
        size="small"
        aria-label="Aggregator"
        value={options.aggregatorName}
        popupMatchSelectWidth={false}
        options={aggregatorNames.map((value) => ({ value, label: value }))}
        onChange={(aggregatorName) => onChange({ aggregatorName, vals: inputs.slice(0, aggregatorOf(aggregatorName).inputs) })}
      />
      {inputs.map((name, at) => (
        <Select<string>
          // biome-ignore lint/suspicious/noArrayIndexKey: an input is its place
          key={at}
          size="small"
          showSearch
          aria-label={at === 0 ? 'Of' : 'Over'}
          className={styles.input ?? ''}
          value={name}
          popupMatchSelectWidth={false}
          options={values.map((value) => ({ value, label: value || '(no name)' }))}
          onChange={(value) => choose(at, value)}
        />
      ))}
      <OrderButton label="Rows" value={options.rowOrder} onChange={(rowOrder) => onChange({ rowOrder })} />
      <OrderButton label="Columns" value={options.colOrder} onChange={(colOrder) => onChange({ colOrder })} />
    </div>
  );
}

function OrderButton({ label, value, onChange }: { label: string; value: Order; onChange: (order: Order) => void }) {
  const { sign, word } = orderWords[value];
  const next = orders[(orders.indexOf(value) + 1) % orders.length] ?? 'key_a_to_z';
  return (
    <button
      type="button"
      className={styles.order}
      aria-label={`${label} ${word}`}
      title={`${label} ${word}`}
      onClick={() => onChange(next)}
    >
      {label} <span aria-hidden>{sign}</span>
    </button>
  );
}
