import { Select } from 'antd';
import { Field } from '../../editor/Field.tsx';
import { displayName } from '../../filters/columnName.ts';
import { type Role, roles, withRole } from '../columnMapping.ts';
import type { ChartTabProps } from './ChartTab.ts';

interface ColumnChoiceProps extends Pick<ChartTabProps, 'table' | 'options' | 'onOptionsChange'> {
  label: string;
  as: Role;
  /** The columns that have the role now. */
  value: readonly string[];
  isMultiple?: boolean;
}

/** The option for no column. A number is no column name; an option is needed because keyboards cannot reach the clear button. */
const none = -1;

/** visualizations 5.16: a column has one role, so only unused columns are offered, and those that have this role. */
export function ColumnChoice({ label, as: role, value, isMultiple = false, table, options, onOptionsChange }: ColumnChoiceProps) {
  const { columnMapping } = options;
  const isFree = (name: string) => {
    const taken = Object.hasOwn(columnMapping, name) ? columnMapping[name] : undefined;
    return value.includes(name) || taken === undefined || taken === 'unused' || !roles.some((one) => one === taken);
  };
  const offered = [...new Set([...table.columns.map(({ name }) => name).filter(isFree), ...value])].sort((a, b) =>
    a.localeCompare(b, 'en'),
  );
  const choose = (names: readonly string[]) => onOptionsChange({ columnMapping: withRole(columnMapping, role, names) });
  const choices = offered.map((name) => ({ value: name, label: displayName(name) || '(no name)' }));
  const shared = {
    options: choices,
    allowClear: true,
    placeholder: 'Choose a column...',
    showSearch: { optionFilterProp: 'label' },
  } as const;
  return (
    <Field label={label}>
      {(id) =>
        isMultiple ? (
          <Select<string[]> {...shared} id={id} mode="multiple" value={[...value]} onChange={choose} />
        ) : (
          <Select<string | number | undefined>
            {...shared}
            id={id}
            value={value[0]}
            options={value.length > 0 ? [{ value: none, label: 'None' }, ...choices] : choices}
            onChange={(name) => choose(typeof name === 'string' ? [name] : [])}
          />
        )
      }
    </Field>
  );
}
