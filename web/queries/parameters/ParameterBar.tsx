import HolderOutlined from '@ant-design/icons/HolderOutlined';
import SettingOutlined from '@ant-design/icons/SettingOutlined';
import { type QueryParameter, titleOf } from '@telltale/domain/parameters/contract.ts';
import { Badge, Button, Checkbox } from 'antd';
import { type KeyboardEvent, useEffect, useEffectEvent, useId } from 'react';
import { useLocation } from 'react-router';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { moved } from '../../visualizations/editor/moved.ts';
import { modifierName } from '../shortcuts.ts';
import styles from './ParameterBar.module.css';
import { ParameterInput } from './ParameterInput.tsx';
import type { Values } from './parameterValues.ts';
import { useDragOrder } from './useDragOrder.ts';
import type { ParameterState } from './useParameterValues.ts';

interface ParameterBarProps {
  parameters: readonly QueryParameter[];
  /** The saved query that has them; a dashboard's parameter names its query itself. */
  queryId: number | null;
  state: ParameterState;
  /** Complaint 16: changes are applied by themselves. */
  isAutomatic: boolean;
  /** Undefined where that cannot be changed. */
  onAutomatic?: ((isAutomatic: boolean) => void) | undefined;
  /** Runs with the values that were applied. */
  onApply: (values: Values) => void;
  /** Undefined where definitions cannot be changed. */
  onEdit?: ((parameter: QueryParameter) => void) | undefined;
  /** Undefined where their order cannot be changed. */
  onOrder?: ((parameters: QueryParameter[]) => void) | undefined;
}

/** A text is being typed, and of a range one end is chosen after the other. */
const automaticDelayMs = 700;

/** Screens 8.3: nothing runs until the changes are applied. */
export function ParameterBar({ parameters, queryId, state, isAutomatic, onAutomatic, onApply, onEdit, onOrder }: ParameterBarProps) {
  const barId = useId();
  const { pendingNames, shown } = state;
  const order = useDragOrder(parameters.length, (from, to) => onOrder?.(moved(parameters, from, to)));
  const hidden = hiddenNames(useLocation().search);
  const apply = () => onApply(state.apply());
  const applyNow = useEffectEvent(apply);
  const waiting = JSON.stringify(pendingNames.map((name) => [name, shown[name]]));
  useEffect(() => {
    if (!isAutomatic || waiting === '[]') return;
    const timer = setTimeout(() => applyNow(), automaticDelayMs);
    return () => clearTimeout(timer);
  }, [isAutomatic, waiting]);

  const drawn = parameters.filter(({ name }) => !hidden.has(plainName(name)));
  if (drawn.length === 0) return null;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey || event.altKey) || pendingNames.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    apply();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the inputs inside
    <div ref={order.list} className={styles.bar} onKeyDown={onKeyDown}>
      {drawn.map((parameter, at) => {
        const { name } = parameter;
        const id = `${barId}-${name}`;
        const isPending = pendingNames.includes(name);
        return (
          <div
            key={name}
            className={styles.block}
            data-sortable=""
            data-moving={order.stateOf(at)}
            data-pending={isPending ? '' : undefined}
          >
            <span className={styles.head}>
              {onOrder && drawn.length > 1 && drawn.length === parameters.length && (
                <button
                  type="button"
                  className={styles.grip}
                  aria-label={`Move ${titleOf(parameter)}`}
                  title="Drag, or use the arrow keys"
                  {...order.handleProps(at)}
                >
                  <HolderOutlined aria-hidden />
                </button>
              )}
              <label htmlFor={id} className={styles.title} title={titleOf(parameter)}>
                {titleOf(parameter)}
              </label>
              {isPending && (
                <span className={styles.changed}>
                  <span aria-hidden>•</span>
                  <span className="visually-hidden">, not applied yet</span>
                </span>
              )}
              {onEdit && (
                <Button
                  type="text"
                  className={styles.gear ?? ''}
                  icon={<SettingOutlined />}
                  aria-label={`Settings of ${titleOf(parameter)}`}
                  onClick={() => onEdit(parameter)}
                />
              )}
            </span>
            <ParameterInput
              id={id}
              parameter={parameter}
              queryId={parameter.parentQueryId ?? queryId}
              value={shown[name] ?? null}
              onChange={(value) => state.set(name, value)}
            />
          </div>
        );
      })}
      {pendingNames.length > 0 && !isAutomatic && (
        <Tooltip title={`${modifierName} + Enter`}>
          <Badge count={pendingNames.length} className={styles.apply ?? ''}>
            <Button type="primary" block onClick={apply}>
              Apply Changes
            </Button>
          </Badge>
        </Tooltip>
      )}
      {onAutomatic && (
        <Checkbox className={styles.automatic ?? ''} checked={isAutomatic} onChange={({ target }) => onAutomatic(target.checked)}>
          Apply changes at once
        </Checkbox>
      )}
    </div>
  );
}

/** Screens 1.7: `hide_filter=<name>`, repeatable; the value of a hidden parameter still applies. */
const plainName = (name: string) => name.replaceAll(' ', '').toLowerCase();
const hiddenNames = (search: string) => new Set(new URLSearchParams(search).getAll('hide_filter').map(plainName));
