import { enumOptionsOf, isDateType, isRangeType, type QueryParameter, typeOf } from '@telltale/domain/parameters/contract.ts';
import { isMulti, normalizeNumber, type ParameterValue } from '@telltale/domain/parameters/values.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { Input, InputNumber, Select } from 'antd';
import { lazy, Suspense, useEffect } from 'react';
import { useRead } from '../../api/query.ts';
import styles from './ParameterBar.module.css';

const DateInput = lazy(() => import('./DateInput.tsx'));

export interface ParameterInputProps {
  id: string;
  parameter: QueryParameter;
  /** The saved query that has it. */
  queryId: number | null;
  value: ParameterValue;
  /** No value is a choice, too: a dropdown stays empty. */
  mayBeEmpty?: boolean;
  onChange: (value: ParameterValue) => void;
}

/** Screens 8.4: the input that suits the type. */
export function ParameterInput({ id, parameter, queryId, value, mayBeEmpty = false, onChange }: ParameterInputProps) {
  const type = typeOf(parameter);
  if (type === 'number') {
    return (
      <InputNumber
        id={id}
        className={styles.number ?? ''}
        value={normalizeNumber(value)}
        {...(normalizeNumber(parameter.min) !== null && { min: Number(parameter.min) })}
        {...(normalizeNumber(parameter.max) !== null && { max: Number(parameter.max) })}
        onChange={(next) => onChange(normalizeNumber(next))}
      />
    );
  }
  if (type === 'enum') {
    return <Choice id={id} options={enumOptionsOf(parameter)} parameter={parameter} queryId={queryId} value={value} onChange={onChange} />;
  }
  if (type === 'query')
    return <QueryChoice id={id} parameter={parameter} queryId={queryId} value={value} mayBeEmpty={mayBeEmpty} onChange={onChange} />;
  if (isDateType(type) || isRangeType(type)) {
    return (
      <Suspense fallback={<Input className={styles.text ?? ''} disabled aria-label="Loading…" />}>
        <DateInput id={id} type={type} value={value} min={parameter.min} max={parameter.max} onChange={onChange} />
      </Suspense>
    );
  }
  return (
    <Input
      id={id}
      className={styles.text ?? ''}
      value={typeof value === 'string' ? value : value === null ? '' : String(value)}
      autoComplete="off"
      onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
    />
  );
}

interface ChoiceProps extends ParameterInputProps {
  options: readonly (string | { value: string; label: string })[];
  isLoading?: boolean;
  problem?: string | undefined;
}

function Choice({ id, parameter, options, value, onChange, isLoading = false, problem }: ChoiceProps) {
  const shared = {
    id,
    className: styles.choiceInput ?? '',
    options: options.map((option) => (typeof option === 'string' ? { value: option, label: option } : option)),
    loading: isLoading,
    disabled: isLoading,
    notFoundContent: problem ?? 'No options available',
    showSearch: { optionFilterProp: 'label' },
    allowClear: true,
    popupMatchSelectWidth: false,
  };
  if (isMulti(parameter)) {
    return (
      <Select
        {...shared}
        mode="multiple"
        maxTagCount={3}
        maxTagTextLength={10}
        maxTagPlaceholder={(hidden) => `+${hidden.length} more`}
        value={Array.isArray(value) ? value : value === null ? [] : [String(value)]}
        onChange={(next: string[]) => onChange(next.length > 0 ? next : null)}
      />
    );
  }
  return (
    <Select
      {...shared}
      value={value === null ? null : String(value)}
      onChange={(next: string | null | undefined) => onChange(next ?? null)}
    />
  );
}

/** The choices are the latest result of another query; a value that is not among them becomes the first (screens 16.16). */
function QueryChoice({ id, parameter, queryId, value, mayBeEmpty = false, onChange }: ParameterInputProps) {
  const dropdownId = parameter.queryId ?? 0;
  const often = { retry: false, staleTime: 60_000 };
  // The request goes through the query with the parameter, so that viewers without access to the other query can choose, too.
  const associated = useRead(
    queriesApi.dropdownOf,
    { params: { id: queryId ?? 0, dropdownId } },
    { ...often, enabled: dropdownId > 0 && queryId !== null },
  );
  const isAlone = queryId === null || associated.isError;
  const own = useRead(queriesApi.dropdown, { params: { id: dropdownId } }, { ...often, enabled: dropdownId > 0 && isAlone });
  const { data, isPending, error } = isAlone ? own : associated;
  const options = (data ?? []).map((option) => ({ value: option.value, label: String(option.name ?? option.value) }));
  const known = options.map((option) => option.value);

  useEffect(() => {
    if (!data || data.length === 0 || (mayBeEmpty && value === null)) return;
    if (isMulti(parameter)) {
      const chosen = Array.isArray(value) ? value : [];
      const valid = chosen.filter((item) => known.includes(item));
      if (valid.length !== chosen.length) onChange(valid.length > 0 ? valid : null);
    } else if (value === null || !known.includes(String(value))) onChange(known[0] ?? null);
  });

  return (
    <Choice
      id={id}
      parameter={parameter}
      queryId={queryId}
      value={value}
      onChange={onChange}
      options={options}
      isLoading={dropdownId > 0 && isPending}
      problem={error ? `The choices could not be loaded. ${error.message}` : undefined}
    />
  );
}
