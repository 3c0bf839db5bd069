import { Tabs } from 'antd';
import { ColumnsEditor } from '../columns/ColumnsEditor.tsx';
import type { EditorProps } from '../define.ts';
import type { DetailsOptions } from './detailsOptions.ts';

export default function DetailsEditor({ table, options, settings, onOptionsChange }: EditorProps<DetailsOptions>) {
  const columns = (
    <ColumnsEditor
      columns={options.columns}
      table={table}
      settings={settings}
      hasSearch={false}
      onChange={(changed) => onOptionsChange({ columns: changed })}
    />
  );
  return <Tabs items={[{ key: 'columns', label: 'Columns', children: columns }]} />;
}
