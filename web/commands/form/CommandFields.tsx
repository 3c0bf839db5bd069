import { commandLimits } from '@telltale/domain/commands/check.ts';
import { Checkbox, InputNumber, Radio } from 'antd';
import { controlState } from '../../ui/form/controlState.ts';
import { Labelled } from '../../ui/form/Labelled.tsx';
import styles from '../Commands.module.css';
import type { Attribute } from '../useTargets.ts';
import type { FieldsProps } from './fieldsProps.ts';
import { PayloadField } from './PayloadField.tsx';
import { RetryFields } from './RetryFields.tsx';
import { TargetFields } from './TargetFields.tsx';

interface CommandFieldsProps extends FieldsProps {
  leastPort: number;
  attributes: readonly Attribute[] | null;
}

/** A3: all fields of a command but its name, which is typed in the dialog and edited in the title of the page. */
export function CommandFields({ leastPort, attributes, ...props }: CommandFieldsProps) {
  const { id, draft, faults, onChange, isReadOnly } = props;
  return (
    <>
      <TargetFields {...props} />
      <PayloadField {...props} />
      <div className={styles.pair}>
        <Labelled id={`${id}-fport`} label="FPort" isRequired fault={faults.fport} info={`${leastPort} to ${commandLimits.fport}`}>
          <InputNumber
            {...controlState(`${id}-fport`, faults.fport, true)}
            className={styles.wide ?? ''}
            aria-required
            controls={false}
            changeOnWheel={false}
            readOnly={isReadOnly}
            value={draft.fport}
            onChange={(fport) => onChange({ fport })}
          />
        </Labelled>
        <Labelled id={`${id}-ttl_seconds`} label="Expires after" fault={faults.ttl_seconds} info="Seconds in the queue; 86,400 is a day">
          <InputNumber
            {...controlState(`${id}-ttl_seconds`, faults.ttl_seconds, true)}
            className={styles.wide ?? ''}
            controls={false}
            changeOnWheel={false}
            readOnly={isReadOnly}
            suffix="s"
            value={draft.ttl_seconds}
            onChange={(ttl_seconds) => onChange({ ttl_seconds })}
          />
        </Labelled>
      </div>
      <div className={styles.mode}>
        <span id={`${id}-mode`} className={styles.caption}>
          Insert mode
        </span>
        <Radio.Group
          aria-labelledby={`${id}-mode`}
          className={styles.modes ?? ''}
          disabled={isReadOnly}
          value={draft.mode}
          onChange={({ target }) => onChange({ mode: target.value })}
        >
          <Radio value="push">
            push <span className={styles.hint}>goes behind what is waiting</span>
          </Radio>
          <Radio value="replace">
            replace <span className={styles.hint}>cancels what is waiting for the device</span>
          </Radio>
        </Radio.Group>
      </div>
      <Checkbox checked={draft.confirm} disabled={isReadOnly} onChange={({ target }) => onChange({ confirm: target.checked })}>
        Confirmed downlink
      </Checkbox>
      <RetryFields {...props} attributes={attributes} />
    </>
  );
}
