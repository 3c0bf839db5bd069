import type { Operator } from '@telltale/domain/alerts/options.ts';
import { Select } from 'antd';

/** Screens 11: shown as symbols, offered with their words. */
export const operatorWords: Record<Operator, { symbol: string; words: string }> = {
  '>': { symbol: '>', words: 'greater than' },
  '>=': { symbol: '≥', words: 'greater than or equals' },
  '<': { symbol: '<', words: 'less than' },
  '<=': { symbol: '≤', words: 'less than or equals' },
  '==': { symbol: '=', words: 'equals' },
  '!=': { symbol: '≠', words: 'not equal to' },
};

const options = Object.entries(operatorWords).map(([value, { symbol, words }]) => ({
  value: value as Operator,
  title: words,
  label: `${symbol} ${words}`,
}));

interface OperatorSelectProps {
  id: string;
  value: Operator;
  isDisabled: boolean;
  onChange: (op: Operator) => void;
}

export const OperatorSelect = ({ id, value, isDisabled, onChange }: OperatorSelectProps) => (
  <Select<Operator>
    id={id}
    value={value}
    disabled={isDisabled}
    options={options}
    labelRender={({ value: chosen }) => operatorWords[chosen as Operator]?.symbol ?? chosen}
    popupMatchSelectWidth={false}
    style={{ width: 72 }}
    onChange={onChange}
  />
);
