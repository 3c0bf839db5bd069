import DeleteOutlined from '@ant-design/icons/DeleteOutlined';
import { conditionLimits } from '@telltale/domain/commands/condition.ts';
import { AutoComplete, Button, Input, Select } from 'antd';
import { operatorSymbols } from '../../operatorSymbols.ts';
import type { Attribute } from '../../useTargets.ts';
import { operatorsFor, type RuleDraft, type RuleOperator, ruleFaults, type ValueKind, valueKinds, withKind } from './conditionDraft.ts';
import styles from './Events.module.css';
import { ValueInput } from './ValueInput.tsx';

export interface RuleRowProps {
  rule: RuleDraft;
  attributes: readonly Attribute[] | null;
  /** Faults are shown after the first attempt to save. */
  isTried: boolean;
  onChange: (rule: RuleDraft) => void;
  /** Undefined for the last rule. */
  onRemove?: (() => void) | undefined;
}

const kindNames: Readonly<Record<ValueKind, string>> = {
  number: 'Number',
  boolean: 'True or false',
  text: 'Text',
  date: 'Date',
  time: 'Time',
  datetime: 'Date and time',
};
/** Kinds of reported values (iot-behaviour 1.5). */
const kindOfReported: Readonly<Record<string, ValueKind>> = { n: 'number', b: 'boolean', s: 'text', j: 'text' };
const operatorNames = { ...operatorSymbols, between: 'between', proximity: 'words near' } as const;
const { least, most } = conditionLimits.wordsBetween;
const distances = Array.from({ length: most - least + 1 }, (_, at) => at + least);

export function RuleRow({ rule, attributes, isTried, onChange, onRemove }: RuleRowProps) {
  const all = ruleFaults(rule, attributes?.map(({ name }) => name) ?? null);
  const isRangeWrong = all.to === 'Invalid range';
  const faults = isTried ? all : isRangeWrong ? { to: all.to } : {};
  const set = (changes: Partial<RuleDraft>) => onChange({ ...rule, ...changes });
  const chooseAttribute = (attribute: string) => {
    const kind = kindOfReported[attributes?.find(({ name }) => name === attribute)?.kind ?? ''];
    onChange({ ...(kind ? withKind(rule, kind) : rule), attribute });
  };
  const fault = [...new Set(Object.values(faults))].join(' ');
  return (
    <div className={styles.rule}>
      <div className={styles.ruleFields}>
        <AutoComplete
          className={styles.attribute ?? ''}
          aria-label="Attribute"
          placeholder="attribute"
          status={faults.attribute ? 'error' : ''}
          value={rule.attribute}
          options={attributes?.map(({ name }) => ({ value: name })) ?? []}
          showSearch={{ filterOption: (typed, option) => option?.value.toLowerCase().includes(typed.toLowerCase()) ?? false }}
          onChange={chooseAttribute}
        />
        <Select
          className={styles.operator ?? ''}
          aria-label="Operator"
          value={rule.operator}
          options={operatorsFor(rule.kind).map((value) => ({ value, label: operatorNames[value] }))}
          onChange={(operator: RuleOperator) => set({ operator })}
        />
        {rule.operator === 'proximity' ? (
          <>
            <Input
              className={styles.value ?? ''}
              aria-label="Words"
              placeholder="door open"
              status={faults.words ? 'error' : ''}
              value={rule.words}
              onChange={({ target }) => set({ words: target.value })}
            />
            <Select
              className={styles.distance ?? ''}
              aria-label="Words between"
              value={rule.between}
              options={distances.map((value) => ({ value, label: `${value} words apart` }))}
              onChange={(between: number) => set({ between })}
            />
          </>
        ) : (
          <ValueInput
            label={rule.operator === 'between' ? 'From' : 'Value'}
            kind={rule.kind}
            value={rule.value}
            isFaulty={faults.value !== undefined}
            onChange={(value) => set({ value })}
          />
        )}
        {rule.operator === 'between' && (
          <>
            <span className={styles.and}>and</span>
            <ValueInput label="To" kind={rule.kind} value={rule.to} isFaulty={faults.to !== undefined} onChange={(to) => set({ to })} />
          </>
        )}
        <Select
          className={styles.kind ?? ''}
          variant="borderless"
          popupMatchSelectWidth={false}
          aria-label="Kind of value"
          value={rule.kind}
          options={valueKinds.map((value) => ({ value, label: kindNames[value] }))}
          onChange={(kind: ValueKind) => onChange(withKind(rule, kind))}
        />
        {onRemove && (
          <Button
            type="text"
            size="small"
            icon={<DeleteOutlined />}
            aria-label={`Remove condition on ${rule.attribute || 'no attribute'}`}
            onClick={onRemove}
          />
        )}
      </div>
      {fault && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
