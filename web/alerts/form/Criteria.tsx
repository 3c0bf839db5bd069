import type { QuerySetting } from '@telltale/domain/alerts/contract.ts';
import { criteriaWarning } from '@telltale/domain/alerts/naming.ts';
import type { Selector } from '@telltale/domain/alerts/options.ts';
import { Input, Select } from 'antd';
import { useId } from 'react';
import type { AlertDraft } from '../draft.ts';
import { thresholdKind } from '../thresholds.ts';
import styles from './Form.module.css';
import { OperatorSelect } from './operators.tsx';
import { Field, Row } from './Row.tsx';
import { ThresholdInput } from './ThresholdInput.tsx';
import { Warning } from './Warning.tsx';

interface CriteriaProps {
  draft: Pick<AlertDraft, 'column' | 'op' | 'value' | 'selector'>;
  /** Undefined before it is read, and where the query has no result. */
  setting: Pick<QuerySetting, 'columns' | 'row'> | undefined;
  /** Left out in the view: the same boxes, disabled. */
  onChange?: ((changes: Partial<AlertDraft>) => void) | undefined;
}

const selectorWords: Record<Selector, string> = {
  first: 'First row',
  min: 'Smallest value',
  max: 'Largest value',
  any: 'Any row',
  all: 'All rows',
};
const selectorOptions = Object.entries(selectorWords).map(([value, label]) => ({ value: value as Selector, label }));

/** A2: column, condition and threshold, and the value of the top row. */
export function Criteria({ draft, setting, onChange }: CriteriaProps) {
  const id = useId();
  const { column, op, value, selector } = draft;
  const isDisabled = !onChange;
  const change = onChange ?? (() => {});
  const columns = setting?.columns ?? [];
  const topValue = setting?.row?.[column];
  const kind = thresholdKind(columns.find(({ name }) => name === column)?.type, topValue);
  const warning = criteriaWarning(topValue, op, value);
  return (
    <Row label="Trigger when">
      <div className={styles.fields}>
        <Field id={`${id}-column`} label="Value column">
          {columns.length > 0 ? (
            <Select
              id={`${id}-column`}
              value={column || null}
              disabled={isDisabled}
              showSearch={{ optionFilterProp: 'label' }}
              options={columns.map(({ name }) => ({ value: name, label: name }))}
              onChange={(chosen) => chosen && change({ column: chosen })}
            />
          ) : (
            // Complaint 47: without a result the columns are unknown, but a name can be typed.
            <Input
              id={`${id}-column`}
              value={column}
              disabled={isDisabled}
              maxLength={1000}
              autoComplete="off"
              onChange={({ target }) => change({ column: target.value })}
            />
          )}
        </Field>
        <Field id={`${id}-op`} label="Condition" isNarrow>
          <OperatorSelect id={`${id}-op`} value={op} isDisabled={isDisabled} onChange={(chosen) => change({ op: chosen })} />
        </Field>
        <Field id={`${id}-value`} label="Threshold">
          <ThresholdInput
            id={`${id}-value`}
            kind={kind}
            value={value}
            isDisabled={isDisabled}
            onChange={(next) => change({ value: next })}
          />
        </Field>
        <Field id={`${id}-selector`} label="Selector" isNarrow>
          <Select<Selector>
            id={`${id}-selector`}
            value={selector}
            disabled={isDisabled}
            options={selectorOptions}
            style={{ width: 148 }}
            onChange={(chosen) => change({ selector: chosen })}
          />
        </Field>
      </div>
      <p className={styles.hint}>
        Top row value is <code>{valueText(topValue)}</code>
      </p>
      {warning && <Warning>{warning}</Warning>}
    </Row>
  );
}

/** A2: the value of the top row, or 'unknown'. */
function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'unknown';
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 200);
}
