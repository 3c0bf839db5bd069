import EditOutlined from '@ant-design/icons/EditOutlined';
import EyeInvisibleOutlined from '@ant-design/icons/EyeInvisibleOutlined';
import { type DashboardParameter, longestMappingTitle, type ParameterMapping } from '@telltale/domain/dashboards/parameter-mapping.ts';
import { type QueryParameter, savedValueOf, titleOf } from '@telltale/domain/parameters/contract.ts';
import { Button, Popover } from 'antd';
import { useState } from 'react';
import { InlineEdit } from '../../ui/InlineEdit.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import styles from './Mapping.module.css';
import { MappingEditor } from './MappingEditor.tsx';
import { valueText } from './valueText.ts';

interface MappingTableProps {
  /** The parameters of the query. */
  parameters: readonly QueryParameter[];
  /** One mapping for each of them. */
  mappings: readonly ParameterMapping[];
  /** The existing parameters of the dashboard. */
  existing: readonly DashboardParameter[];
  onChange: (mapping: ParameterMapping) => void;
}

/** Screens 9.5 */
export function MappingTable({ parameters, mappings, existing, onChange }: MappingTableProps) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>Title</th>
            <th>Keyword</th>
            <th>Default Value</th>
            <th>Value Source</th>
          </tr>
        </thead>
        <tbody>
          {mappings.map((mapping) => {
            const parameter = parameters.find(({ name }) => name === mapping.name);
            return parameter && <Row key={mapping.name} parameter={parameter} mapping={mapping} existing={existing} onChange={onChange} />;
          })}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  parameter: QueryParameter;
  mapping: ParameterMapping;
  existing: readonly DashboardParameter[];
  onChange: (mapping: ParameterMapping) => void;
}

function Row({ parameter, mapping, existing, onChange }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const isStatic = mapping.type === 'static-value';
  const twin = existing.find(({ name }) => mapping.type === 'dashboard-level' && name === mapping.mapTo);
  const title = mapping.title?.trim() || twin?.title || titleOf(parameter);
  return (
    <tr>
      <td>
        {isStatic ? (
          <Tooltip title="Titles for static values don't appear in widgets">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reachable by keyboard */}
            <span tabIndex={0} className={styles.hidden}>
              {title} <EyeInvisibleOutlined aria-hidden />
            </span>
          </Tooltip>
        ) : (
          <InlineEdit
            value={title}
            label={`Title of ${parameter.name}`}
            maxLength={longestMappingTitle}
            onSave={(next) => onChange({ ...mapping, title: next.trim() })}
          />
        )}
      </td>
      <td>
        <code>{`{{ ${parameter.name} }}`}</code>
      </td>
      <td>{valueText(parameter, isStatic ? (mapping.value ?? savedValueOf(parameter)) : savedValueOf(parameter))}</td>
      <td>
        <span className={styles.source}>
          {sourceText(mapping)}
          <Popover
            trigger="click"
            placement="left"
            open={isOpen}
            onOpenChange={setOpen}
            destroyOnHidden
            title="Edit Source and Value"
            content={
              <MappingEditor
                parameter={parameter}
                mapping={mapping}
                existing={existing}
                onCancel={() => setOpen(false)}
                onSave={(next) => {
                  onChange(next);
                  setOpen(false);
                }}
              />
            }
          >
            <Button type="text" size="small" icon={<EditOutlined />} aria-label={`Edit source and value of ${parameter.name}`} />
          </Popover>
        </span>
      </td>
    </tr>
  );
}

function sourceText({ type, mapTo, name }: ParameterMapping) {
  if (type === 'widget-level') return 'Widget parameter';
  if (type === 'static-value') return 'Static value';
  return (
    <span>
      Dashboard <code>{mapTo || name}</code>
    </span>
  );
}
