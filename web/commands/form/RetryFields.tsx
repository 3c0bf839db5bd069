import { commandLimits } from '@telltale/domain/commands/check.ts';
import { operators } from '@telltale/domain/commands/command.ts';
import { AutoComplete, Checkbox, Input, InputNumber, Select } from 'antd';
import { controlState } from '../../ui/form/controlState.ts';
import { Labelled } from '../../ui/form/Labelled.tsx';
import styles from '../Commands.module.css';
import { operatorSymbols } from '../operatorSymbols.ts';
import type { Attribute } from '../useTargets.ts';
import type { FieldsProps } from './fieldsProps.ts';

/** A5: the command is repeated until the device's own report proves its effect. */
export function RetryFields({
  id,
  draft,
  faults,
  onChange,
  isReadOnly,
  attributes,
}: FieldsProps & { attributes: readonly Attribute[] | null }) {
  const names = attributes?.map(({ name }) => name) ?? [];
  return (
    <fieldset className={styles.retry}>
      <legend className="visually-hidden">Retry</legend>
      <Checkbox checked={draft.retry_enabled} disabled={isReadOnly} onChange={({ target }) => onChange({ retry_enabled: target.checked })}>
        Retry until the device reports the effect
      </Checkbox>
      {draft.retry_enabled && (
        <div className={styles.retryFields}>
          <div className={styles.condition}>
            <Labelled id={`${id}-column`} label="Attribute" isRequired fault={faults.column}>
              <AutoComplete
                {...controlState(`${id}-column`, faults.column)}
                aria-required
                placeholder={attributes?.length === 0 ? 'Nothing reported yet' : 'temperature'}
                value={draft.column}
                disabled={isReadOnly}
                options={names.map((value) => ({ value }))}
                showSearch={{ filterOption: (typed, option) => option?.value.toLowerCase().includes(typed.toLowerCase()) ?? false }}
                onChange={(column: string) => onChange({ column })}
              />
            </Labelled>
            <Labelled id={`${id}-op`} label="Condition" isRequired fault={faults.op}>
              <Select
                {...controlState(`${id}-op`, faults.op)}
                aria-required
                value={draft.op}
                disabled={isReadOnly}
                options={operators.map((value) => ({ value, label: operatorSymbols[value] }))}
                onChange={(op) => onChange({ op })}
              />
            </Labelled>
            <Labelled id={`${id}-value`} label="Value" isRequired fault={faults.value}>
              <Input
                {...controlState(`${id}-value`, faults.value)}
                aria-required
                autoComplete="off"
                value={draft.value}
                readOnly={isReadOnly}
                onChange={({ target }) => onChange({ value: target.value })}
              />
            </Labelled>
          </div>
          <div className={styles.pair}>
            <Labelled
              id={`${id}-retry_count`}
              label="Retry count"
              isRequired
              fault={faults.retry_count}
              info={`0 to ${commandLimits.retries}`}
            >
              <InputNumber
                {...controlState(`${id}-retry_count`, faults.retry_count, true)}
                className={styles.wide ?? ''}
                controls={false}
                changeOnWheel={false}
                readOnly={isReadOnly}
                value={draft.retry_count}
                onChange={(retry_count) => onChange({ retry_count })}
              />
            </Labelled>
            <Labelled
              id={`${id}-retry_wait_seconds`}
              label="Wait between retries"
              fault={faults.retry_wait_seconds}
              info="Empty: by how often the device reports"
            >
              <InputNumber
                {...controlState(`${id}-retry_wait_seconds`, faults.retry_wait_seconds, true)}
                className={styles.wide ?? ''}
                controls={false}
                changeOnWheel={false}
                readOnly={isReadOnly}
                suffix="s"
                value={draft.retry_wait_seconds}
                onChange={(retry_wait_seconds) => onChange({ retry_wait_seconds })}
              />
            </Labelled>
          </div>
          <Checkbox
            checked={draft.skip_if_true}
            disabled={isReadOnly}
            onChange={({ target }) => onChange({ skip_if_true: target.checked })}
          >
            Skip devices that report the effect already
          </Checkbox>
        </div>
      )}
    </fieldset>
  );
}
