import CaretDownOutlined from '@ant-design/icons/CaretDownOutlined';
import FilterFilled from '@ant-design/icons/FilterFilled';
import { Popover } from 'antd';
import { Fragment, type KeyboardEvent, type ReactNode, useState } from 'react';
import { AttributeMenu, zoneNames } from './AttributeMenu.tsx';
import styles from './Controls.module.css';
import { type Zone, zones } from './moveAttribute.ts';
import type { ControlsProps } from './PivotControls.tsx';
import type { DropPlace, useAttributeDrag } from './useAttributeDrag.ts';

interface ZoneFieldProps extends ControlsProps {
  zone: Zone;
  names: readonly string[];
  drag: ReturnType<typeof useAttributeDrag>;
  onMove: (place: DropPlace) => void;
  isTall?: boolean;
  children?: ReactNode;
}

const mostChips = 100;

/** A zone for attributes, which are dragged here or moved with the arrow keys. */
export function ZoneField({ zone, names, drag, onMove, isTall = false, children, ...controls }: ZoneFieldProps) {
  const target = drag.place?.zone === zone ? drag.place : null;
  const shown = names.slice(0, mostChips);
  const others = shown.filter((name) => name !== target?.name);
  return (
    <fieldset className={`${styles.zone} ${target ? styles.over : ''}`} data-zone={zone}>
      <legend>{zoneNames[zone]}</legend>
      {children}
      <div className={isTall ? styles.tall : styles.chips}>
        {shown.map((name) => (
          <Fragment key={name}>
            {target && others.indexOf(name) === target.index && <i className={styles.gap} />}
            <Chip {...controls} {...{ name, zone, names, drag, onMove }} />
          </Fragment>
        ))}
        {target && target.index >= others.length && <i className={styles.gap} />}
        {names.length === 0 && !target && <span className={styles.empty}>{zone === 'unused' ? 'All are used' : 'Drop a column here'}</span>}
        {names.length > mostChips && <span className={styles.empty}>and {names.length - mostChips} more: type to find them</span>}
      </div>
    </fieldset>
  );
}

type ChipProps = Omit<ZoneFieldProps, 'isTall' | 'children'> & { name: string };

function Chip({ name, zone, names, drag, onMove, ...controls }: ChipProps) {
  const [isOpen, setOpen] = useState(false);
  const isFiltered = Object.values(controls.options.valueFilter[name] ?? {}).some(Boolean);
  const title = name || '(no name)';
  const onKeyDown = (event: KeyboardEvent) => {
    const at = names.indexOf(name);
    const zoneAt = zones.indexOf(zone);
    const along = { ArrowLeft: at - 1, ArrowRight: at + 1 }[event.key];
    const other = { ArrowUp: zones[zoneAt - 1], ArrowDown: zones[zoneAt + 1] }[event.key];
    if (along === undefined && other === undefined) return;
    event.preventDefault();
    if (other) onMove({ name, zone: other, index: Number.MAX_SAFE_INTEGER });
    else if (along !== undefined && along >= 0 && along < names.length && zone !== 'unused') onMove({ name, zone, index: along });
  };
  return (
    <Popover
      open={isOpen}
      trigger="click"
      placement="bottomLeft"
      destroyOnHidden
      onOpenChange={(next) => setOpen(next && !drag.wasDragged.current)}
      content={
        <AttributeMenu
          {...controls}
          name={name}
          zone={zone}
          onMove={(to) => {
            setOpen(false);
            onMove({ name, zone: to, index: Number.MAX_SAFE_INTEGER });
          }}
        />
      }
    >
      <button
        type="button"
        className={drag.place?.name === name ? styles.dragged : styles.chip}
        data-attribute={name}
        aria-label={`${title}, ${zoneNames[zone].toLowerCase()}${isFiltered ? ', filtered' : ''}. Arrow keys move it, Enter filters.`}
        title={title}
        aria-expanded={isOpen}
        onPointerDown={(event) => drag.start(event, name)}
        onKeyDown={onKeyDown}
      >
        <span>{title}</span>
        {isFiltered ? <FilterFilled className={styles.filtered ?? ''} aria-hidden /> : <CaretDownOutlined aria-hidden />}
      </button>
    </Popover>
  );
}
