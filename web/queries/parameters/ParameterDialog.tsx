import { humanize, isRangeType, type ParameterType, type QueryParameter, typeOf } from '@telltale/domain/parameters/contract.ts';
import { placeholderText } from '@telltale/domain/parameters/placeholders.ts';
import { isMulti, normalizeNumber } from '@telltale/domain/parameters/values.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { Checkbox, Input, InputNumber, Select } from 'antd';
import { lazy, Suspense, useId, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { useDelayed } from '../../ui/useDelayed.ts';
import styles from '../dialogs/Dialogs.module.css';
import { ParameterInput } from './ParameterInput.tsx';
import { defaultOf, definitionOf, endType, isDated } from './parameterDefinition.ts';
import { multiOptions, type Quotation, quotationExample, quotationOf, quotations } from './quotation.ts';

const DateLimits = lazy(() => import('./DateLimits.tsx'));

const types: readonly { label: string; title: string; options: { value: ParameterType; label: string }[] }[] = [
  {
    label: 'Values',
    title: 'Values',
    options: [
      { value: 'text', label: 'Text' },
      { value: 'number', label: 'Number' },
      { value: 'enum', label: 'Dropdown List' },
      { value: 'query', label: 'Query Based Dropdown List' },
    ],
  },
  {
    label: 'Dates',
    title: 'Dates',
    options: [
      { value: 'date', label: 'Date' },
      { value: 'datetime-local', label: 'Date and Time' },
      { value: 'datetime-with-seconds', label: 'Date and Time (with seconds)' },
    ],
  },
  {
    label: 'Ranges',
    title: 'Ranges',
    options: [
      { value: 'date-range', label: 'Date Range' },
      { value: 'datetime-range', label: 'Date and Time Range' },
      { value: 'datetime-range-with-seconds', label: 'Date and Time Range (with seconds)' },
    ],
  },
];

interface ParameterDialogProps {
  /** Null for a new one. */
  parameter: QueryParameter | null;
  takenNames: readonly string[];
  /** The saved query that has it, whose dropdowns may be read. */
  queryId: number | null;
  onSave: (parameter: QueryParameter) => void;
  onClose: () => void;
}

const wordPattern = /^[\p{L}_][\p{L}\p{N}_ -]*$/u;

/** Screens 8.2 */
export default function ParameterDialog({ parameter, takenNames, queryId, onSave, onClose }: ParameterDialogProps) {
  const id = useId();
  const [draft, setDraft] = useState<QueryParameter>(parameter ?? { name: '', title: '', type: 'text', value: null, global: false });
  const [isTitled, setTitled] = useState(parameter !== null);
  const type = typeOf(draft);
  const name = draft.name.trim();
  const title = isTitled ? (draft.title ?? '') : humanize(name);
  const fault = parameter ? '' : nameFault(name, takenNames);
  const hasChoices = type === 'enum' || type === 'query';
  const isIncomplete = !!fault || name === '' || title.trim() === '' || (type === 'query' && !draft.queryId);
  const change = (changes: Partial<QueryParameter>) => setDraft((before) => ({ ...before, ...changes }) as QueryParameter);

  const { queryId: dropdownId, min, max } = draft;
  const definition = definitionOf(draft, title);

  return (
    <Dialog
      title={parameter ? parameter.name : 'Add Parameter'}
      width={600}
      okText={parameter ? 'OK' : 'Add Parameter'}
      isOkDisabled={isIncomplete}
      onOk={() => onSave(definition)}
      onClose={onClose}
    >
      <div className={styles.fields}>
        {!parameter && (
          <>
            <label htmlFor={`${id}-name`}>Keyword</label>
            <span className={styles.value}>
              <Input
                id={`${id}-name`}
                autoFocus
                value={draft.name}
                status={name !== '' && fault ? 'error' : ''}
                onChange={({ target }) => change({ name: target.value })}
              />
              <span className={styles.help} role={name !== '' && fault ? 'alert' : undefined}>
                {name === '' ? 'Choose a keyword for this parameter' : fault || `Appears in query as ${placeholderText({ name, type })}`}
              </span>
            </span>
          </>
        )}
        <label htmlFor={`${id}-title`}>Title</label>
        <Input
          id={`${id}-title`}
          value={title}
          maxLength={255}
          onChange={({ target }) => {
            setTitled(true);
            change({ title: target.value });
          }}
        />
        <label htmlFor={`${id}-type`}>Type</label>
        <span className={styles.value}>
          <Select id={`${id}-type`} value={type} options={[...types]} onChange={(next: ParameterType) => change({ type: next })} />
          {parameter && isRangeType(type) && <span className={styles.help}>Appears in query as {placeholderText({ name, type })}</span>}
        </span>
        {type === 'enum' && (
          <>
            <label htmlFor={`${id}-values`}>Values</label>
            <span className={styles.value}>
              <Input.TextArea
                id={`${id}-values`}
                rows={4}
                value={Array.isArray(draft.enumOptions) ? draft.enumOptions.join('\n') : (draft.enumOptions ?? '')}
                onChange={({ target }) => change({ enumOptions: target.value })}
              />
              <span className={styles.help}>Dropdown list values (newline delimited)</span>
            </span>
          </>
        )}
        {type === 'query' && (
          <>
            <label htmlFor={`${id}-query`}>Query</label>
            <span className={styles.value}>
              <QuerySelect id={`${id}-query`} value={draft.queryId ?? null} onChange={(queryId) => change({ queryId })} />
              <span className={styles.help}>Select query to load dropdown values from</span>
            </span>
          </>
        )}
        {hasChoices && (
          <>
            <span />
            <Checkbox
              checked={isMulti(draft)}
              onChange={({ target }) => change({ multiValuesOptions: target.checked ? multiOptions('none') : null })}
            >
              Allow multiple values
            </Checkbox>
          </>
        )}
        {hasChoices && isMulti(draft) && (
          <>
            <label htmlFor={`${id}-quotation`}>Quotation</label>
            <span className={styles.value}>
              <Select
                id={`${id}-quotation`}
                value={quotationOf(draft.multiValuesOptions)}
                options={quotations.map(({ value, label }) => ({ value, label }))}
                onChange={(next: Quotation) => change({ multiValuesOptions: multiOptions(next) })}
              />
              <span className={styles.help}>{quotationExample(quotationOf(draft.multiValuesOptions))}</span>
            </span>
          </>
        )}
        {type === 'number' && (
          <>
            <label htmlFor={`${id}-min`}>Limits</label>
            <span className={styles.row}>
              <InputNumber
                id={`${id}-min`}
                placeholder="Lowest"
                aria-label="Lowest value"
                value={normalizeNumber(min)}
                onChange={(next) => change({ min: next })}
              />
              to
              <InputNumber
                placeholder="Highest"
                aria-label="Highest value"
                value={normalizeNumber(max)}
                onChange={(next) => change({ max: next })}
              />
            </span>
          </>
        )}
        {isDated(type) && (
          <>
            <label htmlFor={`${id}-min`}>Limits</label>
            <span className={styles.row}>
              <Suspense fallback={<Input disabled aria-label="Loading…" />}>
                <DateLimits id={`${id}-min`} type={endType(type)} min={min} max={max} onChange={change} />
              </Suspense>
            </span>
          </>
        )}
        <label htmlFor={`${id}-value`}>Default value</label>
        <span className={styles.value}>
          <ParameterInput
            key={`${type} ${dropdownId ?? ''}`}
            id={`${id}-value`}
            parameter={definition}
            queryId={queryId}
            value={defaultOf(definition, draft.default)}
            mayBeEmpty
            onChange={(next) => change({ default: next })}
          />
          <span className={styles.help}>Used when the query is opened or runs by schedule; empty: the value that was saved last</span>
        </span>
      </div>
    </Dialog>
  );
}

function nameFault(name: string, taken: readonly string[]): string {
  if (taken.includes(name)) return 'Parameter with this name already exists';
  return name === '' || wordPattern.test(name) ? '' : 'Use letters, digits, spaces, _ and -, beginning with a letter';
}

function QuerySelect({ id, value, onChange }: { id: string; value: number | null; onChange: (id: number) => void }) {
  const [typed, setTyped] = useState('');
  const term = useDelayed(typed.trim());
  const found = useRead(queriesApi.list, { query: { q: term, page_size: 20, brief: '1', ...(term ? {} : { order: '-created_at' }) } });
  const current = useRead(queriesApi.get, { params: { id: value ?? 0 } }, { enabled: value !== null });
  // Screens 1.10: drafts are not offered, because they may change at any time.
  const options = (found.data?.results ?? []).map((query) => ({ value: query.id, label: query.name, disabled: query.is_draft }));
  if (value !== null && !options.some((option) => option.value === value)) {
    options.unshift({ value, label: current.data?.name ?? `Query ${value}`, disabled: false });
  }
  return (
    <Select
      id={id}
      value={value}
      placeholder="Search a query by name"
      loading={found.isFetching}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      options={options}
      notFoundContent="No results matching search term."
      optionRender={({ label, data }) => (data.disabled ? <span title="Publish it first">{label} · Unpublished</span> : label)}
      onChange={onChange}
    />
  );
}
