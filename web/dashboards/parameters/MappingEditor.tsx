import {
  type DashboardParameter,
  joinable,
  type MappingSource,
  newKeywordFault,
  type ParameterMapping,
  sourceOf,
} from '@telltale/domain/dashboards/parameter-mapping.ts';
import { type QueryParameter, savedValueOf } from '@telltale/domain/parameters/contract.ts';
import { normalizeValue } from '@telltale/domain/parameters/values.ts';
import { Button, Input, Radio, Select } from 'antd';
import { useId, useState } from 'react';
import { ParameterInput } from '../../queries/parameters/ParameterInput.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import styles from './Mapping.module.css';

interface MappingEditorProps {
  parameter: QueryParameter;
  mapping: ParameterMapping;
  existing: readonly DashboardParameter[];
  onSave: (mapping: ParameterMapping) => void;
  onCancel: () => void;
}

const noneToJoin = 'There are no dashboard parameters corresponding to this data type';

/** D3 and D5: the four sources of a value. */
export function MappingEditor({ parameter, mapping, existing, onSave, onCancel }: MappingEditorProps) {
  const id = useId();
  const [source, setSource] = useState<MappingSource>(sourceOf(mapping, existing));
  const [keyword, setKeyword] = useState(mapping.mapTo || parameter.name);
  const [value, setValue] = useState(normalizeValue(parameter, mapping.value ?? savedValueOf(parameter)));
  const offered = joinable(parameter, existing);
  const joined = offered.some(({ name }) => name === keyword) ? keyword : offered[0]?.name;
  const fault = source === 'dashboard-add-new' ? newKeywordFault(keyword, existing) : null;

  const save = () => {
    const { name, title } = mapping;
    if (source === 'static-value') return onSave({ name, title, type: 'static-value', mapTo: name, value });
    if (source === 'widget-level') return onSave({ name, title, type: 'widget-level', mapTo: name, value: null });
    const mapTo = source === 'dashboard-add-new' ? keyword.trim() : (joined ?? name);
    // The title belongs to the dashboard's parameter: a mapping that joins one takes its title.
    onSave({ name, title: source === 'dashboard-map-to-existing' ? '' : title, type: 'dashboard-level', mapTo, value: null });
  };

  return (
    <div className={styles.editor}>
      <Radio.Group vertical value={source} onChange={({ target }) => setSource(target.value)}>
        <Radio value="dashboard-add-new">New dashboard parameter</Radio>
        {offered.length > 0 ? (
          <Radio value="dashboard-map-to-existing">Existing dashboard parameter</Radio>
        ) : (
          <Tooltip title={noneToJoin}>
            <Radio value="dashboard-map-to-existing" disabled>
              Existing dashboard parameter
            </Radio>
          </Tooltip>
        )}
        <Radio value="widget-level">Widget parameter</Radio>
        <Radio value="static-value">Static value</Radio>
      </Radio.Group>
      {source === 'dashboard-add-new' && (
        <div className={styles.field}>
          <label htmlFor={id}>Keyword</label>
          <Input
            id={id}
            value={keyword}
            maxLength={255}
            status={fault ? 'error' : ''}
            aria-describedby={`${id}-fault`}
            onChange={({ target }) => setKeyword(target.value)}
          />
          {fault && (
            <span id={`${id}-fault`} className={styles.fault} role="alert">
              {fault}
            </span>
          )}
        </div>
      )}
      {source === 'dashboard-map-to-existing' && (
        <div className={styles.field}>
          <label htmlFor={id}>Key</label>
          <Select
            id={id}
            value={joined ?? null}
            onChange={setKeyword}
            options={offered.map(({ name, title }) => ({ value: name, label: title === name ? name : `${title} (${name})` }))}
          />
        </div>
      )}
      {source === 'static-value' && (
        <div className={styles.field}>
          <label htmlFor={id}>Value</label>
          <ParameterInput id={id} parameter={parameter} queryId={parameter.parentQueryId ?? null} value={value} onChange={setValue} />
        </div>
      )}
      <div className={styles.buttons}>
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="small" type="primary" disabled={fault !== null} onClick={save}>
          OK
        </Button>
      </div>
    </div>
  );
}
