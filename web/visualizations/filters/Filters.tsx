import { Select } from 'antd';
import { useCallback, useId, useMemo, useState } from 'react';
import type { DisplaySettings } from '../displaySettings.ts';
import styles from './Filters.module.css';
import { type FilterChoice, filterValueText, type ResultFilter } from './resultFilters.ts';

interface FiltersProps {
  filters: readonly ResultFilter[];
  settings: DisplaySettings;
  onChoose: (name: string, choice: FilterChoice) => void;
}

/** visualizations 2.3: one control per filter column, above the picture. */
export default function Filters({ filters, settings, onChoose }: FiltersProps) {
  return (
    <div className={styles.filters}>
      <div className={styles.grid}>
        {filters.map((filter) => (
          <FilterSelect key={filter.name} filter={filter} settings={settings} onChoose={(choice) => onChoose(filter.name, choice)} />
        ))}
      </div>
    </div>
  );
}

const clearAll = 'clear';
const selectAll = 'all';
/** Longer lists are searched, not scrolled. */
const mostOffered = 1000;
const mostTags = 3;
const counted = new Intl.NumberFormat('en');

interface FilterSelectProps {
  filter: ResultFilter;
  settings: DisplaySettings;
  onChoose: (choice: FilterChoice) => void;
}

function FilterSelect({ filter, settings, onChoose }: FilterSelectProps) {
  const { label, type, values, current, isMultiple } = filter;
  const id = useId();
  const [term, setTerm] = useState('');
  const textAt = useCallback((at: number) => filterValueText(values[at], type, settings) || '(empty)', [values, type, settings]);
  const offered = useMemo(() => matching(values.length, textAt, term), [values, textAt, term]);
  const isAll = current.length === values.length;
  const chosen = useMemo(() => (isAll ? null : new Set(current)), [isAll, current]);

  if (values.length === 0) {
    return (
      <div className={styles.filter}>
        <label htmlFor={id}>{label}</label>
        <Select id={id} disabled placeholder="No values" value={null} />
      </div>
    );
  }

  const items = offered.map((at) => ({ value: String(at), label: textAt(at) }));
  // The control gets only the visible ones of a million chosen values.
  const tags = current.slice(0, mostTags).map((value) => values.indexOf(value));
  const shown = [...new Set([...tags, ...offered.filter((at) => chosen === null || chosen.has(values[at]))])].map(String);
  const common = {
    id,
    showSearch: { filterOption: false, searchValue: term, onSearch: setTerm },
    onOpenChange: (isOpen: boolean) => !isOpen && setTerm(''),
    labelRender: ({ value }: { value?: string | number }) => textAt(Number(value)),
  } as const;
  const choose = (value: string) => {
    if (value === clearAll) onChoose([]);
    else if (value === selectAll) onChoose('all');
    else onChoose(isMultiple ? [...current, values[Number(value)]] : [values[Number(value)]]);
  };
  return (
    <div className={styles.filter}>
      <label htmlFor={id}>{label}</label>
      {isMultiple ? (
        <Select<string[]>
          {...common}
          mode="multiple"
          value={shown}
          options={[
            ...(term
              ? []
              : [
                  { value: clearAll, label: 'Clear' },
                  { value: selectAll, label: 'Select All' },
                ]),
            { label: 'Values', options: items },
          ]}
          allowClear
          maxTagCount={mostTags}
          maxTagTextLength={10}
          maxTagPlaceholder={`+${current.length - mostTags} more`}
          placeholder="No values selected"
          onSelect={(value: unknown) => choose(String(value))}
          onDeselect={(value: unknown) => onChoose(current.filter((one) => one !== values[Number(value)]))}
          onClear={() => onChoose([])}
        />
      ) : (
        <Select<string> {...common} value={shown[0] ?? null} options={items} onSelect={choose} />
      )}
      {values.length > mostOffered && <small className={styles.note}>{counted.format(values.length)} values: type to find one.</small>}
    </div>
  );
}

function matching(count: number, textAt: (at: number) => string, term: string): number[] {
  const wanted = term.trim().toLowerCase();
  const found: number[] = [];
  for (let at = 0; at < count && found.length < mostOffered; at += 1) {
    if (wanted === '' || textAt(at).toLowerCase().includes(wanted)) found.push(at);
  }
  return found;
}
