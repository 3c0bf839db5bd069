import AlignLeftOutlined from '@ant-design/icons/AlignLeftOutlined';
import CaretRightOutlined from '@ant-design/icons/CaretRightOutlined';
import EnterOutlined from '@ant-design/icons/EnterOutlined';
import ThunderboltFilled from '@ant-design/icons/ThunderboltFilled';
import ThunderboltOutlined from '@ant-design/icons/ThunderboltOutlined';
import { Button, Checkbox } from 'antd';
import type { ReactNode, Ref } from 'react';
import { GuardedButton } from '../ui/GuardedButton.tsx';
import { Tooltip } from '../ui/Tooltip.tsx';
import styles from './ControlRow.module.css';
import { modifierName } from './shortcuts.ts';

interface ControlRowProps {
  canEdit: boolean;
  /** The toggle of the side pane, on wide screens. */
  sideToggle: ReactNode;
  onAddParameter: () => void;
  onFormat: () => void;
  isFormatting: boolean;
  canFormat: boolean;
  /** Null above 5000 columns. */
  isLive: boolean | null;
  onLive: (isLive: boolean) => void;
  isWrapped: boolean;
  onWrap: (isWrapped: boolean) => void;
  autoLimit: boolean;
  onAutoLimit: (isOn: boolean) => void;
  canLimit: boolean;
  /** The selection of the source on narrow screens, where the side pane is hidden. */
  sourceSelect: ReactNode;
  isDirty: boolean;
  isSaving: boolean;
  onSave: () => void;
  isSelection: boolean;
  isRunning: boolean;
  executeRef: Ref<HTMLButtonElement>;
  executeRefusal: string | null;
  onExecute: () => void;
}

const unsupportedFormat = 'Query formatting is not supported for your data source syntax.';

/** Screens 5.5 */
export function ControlRow(props: ControlRowProps) {
  const { canEdit, isLive, canLimit, isSelection } = props;
  return (
    <div className={styles.row} role="toolbar" aria-label="Query tools">
      <span className={styles.side}>{props.sideToggle}</span>
      {canEdit && (
        <Tooltip title="Add New Parameter (Alt + P)">
          <Button type="text" className={styles.braces ?? ''} aria-label="Add New Parameter" onClick={props.onAddParameter}>
            {'{{ }}'}
          </Button>
        </Tooltip>
      )}
      {canEdit && (
        <Tooltip title={props.canFormat ? `Format Query (${modifierName} + Shift + F)` : unsupportedFormat}>
          <Button
            type="text"
            icon={<AlignLeftOutlined />}
            aria-label="Format Query"
            aria-disabled={!props.canFormat}
            loading={props.isFormatting}
            onClick={props.onFormat}
          />
        </Tooltip>
      )}
      <Tooltip
        title={
          isLive === null
            ? 'Live Autocomplete Not Available (Use Ctrl+Space to Trigger)'
            : `Live Autocomplete ${isLive ? 'Enabled' : 'Disabled'}`
        }
      >
        <Button
          type="text"
          icon={isLive ? <ThunderboltFilled /> : <ThunderboltOutlined />}
          aria-label="Live Autocomplete"
          aria-pressed={isLive ?? false}
          aria-disabled={isLive === null}
          onClick={() => isLive !== null && props.onLive(!isLive)}
        />
      </Tooltip>
      <Tooltip title={props.isWrapped ? 'Long lines are wrapped' : 'Wrap long lines'}>
        <Button
          type="text"
          icon={<EnterOutlined />}
          className={props.isWrapped ? (styles.on ?? '') : ''}
          aria-label="Wrap long lines"
          aria-pressed={props.isWrapped}
          onClick={() => props.onWrap(!props.isWrapped)}
        />
      </Tooltip>
      <Tooltip title={canLimit ? 'Auto limit results to first 1000 rows.' : 'Auto limiting is not available for this Data Source type.'}>
        <span>
          <Checkbox checked={canLimit && props.autoLimit} disabled={!canLimit} onChange={({ target }) => props.onAutoLimit(target.checked)}>
            LIMIT 1000
          </Checkbox>
        </span>
      </Tooltip>
      <span className={styles.spacer} />
      <span className={styles.source}>{props.sourceSelect}</span>
      {canEdit && (
        <Tooltip title={`${modifierName} + S`}>
          <Button loading={props.isSaving} onClick={props.onSave}>
            {props.isDirty ? 'Save*' : 'Save'}
          </Button>
        </Tooltip>
      )}
      <Tooltip title={`${modifierName}+Enter runs all; ${modifierName}+Shift+Enter runs the current statement`}>
        <GuardedButton
          ref={props.executeRef}
          type="primary"
          icon={<CaretRightOutlined />}
          loading={props.isRunning}
          refusal={props.executeRefusal}
          onClick={props.onExecute}
        >
          {isSelection ? 'Execute Selected' : 'Execute'}
        </GuardedButton>
      </Tooltip>
    </div>
  );
}
