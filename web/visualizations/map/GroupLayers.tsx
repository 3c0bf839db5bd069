import { Checkbox } from 'antd';
import styles from './Map.module.css';
import type { MapGroup } from './mapModel.ts';
import { safeColor } from './markerLook.ts';

interface GroupLayersProps {
  groups: readonly MapGroup[];
  hidden: ReadonlySet<string>;
  onChange: (hidden: ReadonlySet<string>) => void;
}

/** visualizations 11: every group can be switched off. */
export function GroupLayers({ groups, hidden, onChange }: GroupLayersProps) {
  const toggle = (name: string, isShown: boolean) => {
    const next = new Set(hidden);
    if (isShown) next.delete(name);
    else next.add(name);
    onChange(next);
  };
  return (
    <fieldset className={styles.groups}>
      <legend className="visually-hidden">Groups</legend>
      {groups.map(({ name, color, count }) => (
        <Checkbox key={name} checked={!hidden.has(name)} onChange={({ target }) => toggle(name, target.checked)}>
          <span className={styles.group}>
            <i style={{ background: safeColor(color, '#1f77b4') }} />
            <span title={name}>{name || '(empty)'}</span>
            <small>{count.toLocaleString('en')}</small>
          </span>
        </Checkbox>
      ))}
    </fieldset>
  );
}
