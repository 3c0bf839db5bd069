import { Select, Tabs } from 'antd';
import { ColumnsEditor } from '../columns/ColumnsEditor.tsx';
import type { EditorProps } from '../define.ts';
import { Field } from '../editor/Field.tsx';
import { allRows, isAllRows, pageSizes, type TableOptions } from './tableOptions.ts';

/** visualizations 4.8. */
export default function TableEditor({ table, options, settings, onOptionsChange }: EditorProps<TableOptions>) {
  return (
    <Tabs
      items={[
        {
          key: 'columns',
          label: 'Columns',
          children: (
            <ColumnsEditor
              columns={options.columns}
              table={table}
              settings={settings}
              onChange={(columns) => onOptionsChange({ columns })}
            />
          ),
        },
        {
          key: 'grid',
          label: 'Grid',
          children: <PageSize value={options.itemsPerPage} onChange={(itemsPerPage) => onOptionsChange({ itemsPerPage })} />,
        },
      ]}
    />
  );
}

function PageSize({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const current = isAllRows(value) ? allRows : value;
  const sizes = [...new Set([...pageSizes, current])].filter((size) => !isAllRows(size)).sort((a, b) => a - b);
  return (
    <Field label="Items per page">
      {(id) => (
        <Select<number>
          id={id}
          value={current}
          options={[...sizes.map((size) => ({ value: size, label: String(size) })), { value: allRows, label: 'All' }]}
          listHeight={400}
          onChange={onChange}
        />
      )}
    </Field>
  );
}
