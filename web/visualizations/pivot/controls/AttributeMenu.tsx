import { Button, Checkbox, Input } from 'antd';
import { useEffect, useMemo, useState } from 'react';
import { runSliced } from '../../table/view/sliced.ts';
import { type Attribute, encodeAttribute } from '../data/attribute.ts';
import { shownOrder } from '../data/order.ts';
import styles from './Controls.module.css';
import { type Zone, zones } from './moveAttribute.ts';
import type { ControlsProps } from './PivotControls.tsx';

export const zoneNames: Readonly<Record<Zone, string>> = { unused: 'Available', rows: 'Rows', cols: 'Columns' };

interface AttributeMenuProps extends Pick<ControlsProps, 'table' | 'settings' | 'known' | 'options' | 'onChange'> {
  name: string;
  zone: Zone;
  onMove: (zone: Zone) => void;
}

/** visualizations 12: the filter of values, and a way to move an attribute without dragging. */
export function AttributeMenu({ name, zone, options, onChange, onMove, ...source }: AttributeMenuProps) {
  const [term, setTerm] = useState('');
  const texts = useValues(name, source);
  const wanted = term.trim().toLowerCase();
  const found = useMemo(() => texts?.filter((text) => text.toLowerCase().includes(wanted)) ?? [], [texts, wanted]);
  const excluded = options.valueFilter[name] ?? {};
  const isOut = (text: string) => Object.hasOwn(excluded, text) && excluded[text] === true;
  const exclude = (changed: readonly string[], isExcluded: boolean) => {
    const next = new Map(Object.entries(excluded).filter(([, value]) => value));
    for (const text of changed) {
      if (isExcluded) next.set(text, true);
      else next.delete(text);
    }
    const { [name]: _, ...others } = options.valueFilter;
    onChange({ valueFilter: next.size > 0 ? { ...others, [name]: Object.fromEntries(next) } : others });
  };
  return (
    <div className={styles.menu}>
      <fieldset className={styles.moves} aria-label={`Move ${name}`}>
        {zones.map((one) => (
          <Button
            key={one}
            size="small"
            type={one === zone ? 'primary' : 'default'}
            aria-pressed={one === zone}
            onClick={() => onMove(one)}
          >
            {zoneNames[one]}
          </Button>
        ))}
      </fieldset>
      <Input
        size="small"
        allowClear
        placeholder="Filter values"
        aria-label={`Filter values of ${name}`}
        value={term}
        onChange={({ target }) => setTerm(target.value)}
      />
      <div className={styles.moves}>
        <Button size="small" onClick={() => exclude(found, false)}>
          Select {wanted ? found.length : 'All'}
        </Button>
        <Button size="small" onClick={() => exclude(found, true)}>
          Deselect {wanted ? found.length : 'All'}
        </Button>
      </div>
      <div className={styles.values}>
        {texts === null && <p>Reading values…</p>}
        {found.slice(0, options.menuLimit).map((text) => (
          <Checkbox key={text} checked={!isOut(text)} onChange={({ target }) => exclude([text], !target.checked)}>
            {text || '(empty)'}
          </Checkbox>
        ))}
        {found.length > options.menuLimit && <p>{(found.length - options.menuLimit).toLocaleString('en')} more: type to find them.</p>}
      </div>
    </div>
  );
}

/** Its distinct texts in order; null while they are computed. */
function useValues(name: string, { table, settings, known }: Pick<ControlsProps, 'table' | 'settings' | 'known'>): string[] | null {
  const [attribute, setAttribute] = useState<Attribute | null>(known.get(name) ?? null);
  useEffect(() => {
    const column = table.columns.find((one) => one.name === name);
    if (attribute || !column) return;
    const work = new AbortController();
    const reading = encodeAttribute(table.rows, column, settings);
    void runSliced(reading, { signal: work.signal, onProgress: () => {} }).then((read) => {
      if (!read || work.signal.aborted) return;
      known.set(name, read);
      setAttribute(read);
    });
    return () => work.abort();
  }, [name, table, settings, known, attribute]);
  return useMemo(() => {
    if (!attribute) return null;
    const { texts } = attribute;
    const keys = texts.map((text) => [text]);
    return shownOrder(keys, 'key_a_to_z', () => null).map((place) => texts[place] ?? '');
  }, [attribute]);
}
