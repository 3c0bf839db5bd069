import { Input, Popover } from 'antd';
import { useState } from 'react';
import { textOn } from '../echarts/chartColors.ts';
import { namedColors } from '../palettes.ts';
import styles from './ColorPicker.module.css';

interface ColorPickerProps {
  /** Null means "Automatic", where that is offered. */
  value: string | null;
  onChange: (value: string | null) => void;
  /** The name of the coloured object: "Color of temperature". */
  label: string;
  id?: string;
  /** The colour of the automatic choice; without it there is no automatic choice. */
  automatic?: string | undefined;
}

/** visualizations 2.8: applies at once; stores `#RRGGBB`, in capitals. */
export function ColorPicker({ value, onChange, label, id, automatic }: ColorPickerProps) {
  const shown = value ?? automatic ?? '#FFFFFF';
  return (
    <Popover
      trigger="click"
      placement="bottomLeft"
      destroyOnHidden
      content={<Choices value={value} shown={shown} onChange={onChange} label={label} automatic={automatic} />}
    >
      <button
        type="button"
        id={id}
        className={styles.swatch}
        style={{ background: shown }}
        aria-label={`${label}: ${value ?? 'Automatic'}`}
        title={value ?? 'Automatic'}
      />
    </Popover>
  );
}

interface ChoicesProps extends ColorPickerProps {
  shown: string;
}

function Choices({ value, shown, onChange, label, automatic }: ChoicesProps) {
  const [text, setText] = useState(value?.slice(1) ?? '');
  const choose = (color: string | null) => {
    setText(color?.slice(1) ?? '');
    onChange(color);
  };
  const type = (typed: string) => {
    const digits = typed.replace(/[^\da-f]/gi, '').slice(0, 6);
    setText(digits);
    const color = fullColor(digits);
    if (color) onChange(color);
  };
  return (
    <fieldset className={styles.choices} aria-label={label}>
      <div className={styles.head} style={{ background: shown, color: textOn(shown) }}>
        {value ?? 'Automatic'}
      </div>
      <div className={styles.presets}>
        {automatic !== undefined && (
          <button
            type="button"
            className={styles.automatic}
            title="Automatic"
            aria-label="Automatic"
            aria-pressed={value === null}
            onClick={() => choose(null)}
          />
        )}
        {Object.entries(namedColors).map(([name, color]) => (
          <button
            key={name}
            type="button"
            style={{ background: color }}
            title={name}
            aria-label={name}
            aria-pressed={value?.toUpperCase() === color}
            onClick={() => choose(color)}
          />
        ))}
      </div>
      <Input prefix="#" value={text} spellCheck={false} aria-label="Hexadecimal colour" onChange={(event) => type(event.target.value)} />
    </fieldset>
  );
}

/** The full form of three or six digits. */
function fullColor(digits: string): string | undefined {
  const upper = digits.toUpperCase();
  if (/^[\dA-F]{6}$/.test(upper)) return `#${upper}`;
  return /^[\dA-F]{3}$/.test(upper) ? `#${upper.replace(/./g, '$&$&')}` : undefined;
}
