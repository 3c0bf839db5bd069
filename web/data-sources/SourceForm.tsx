import type { FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import { KindForm } from '../ui/KindForm.tsx';
import { TestConnection } from './TestConnection.tsx';
import { useSaveDataSource, useSourceTypes } from './useDataSources.ts';

export function SourceForm({ source }: { source: FullDataSource }) {
  const save = useSaveDataSource();
  const { id, type } = source;
  return (
    <KindForm
      what="data source"
      item={source}
      kinds={useSourceTypes()}
      onSave={(body) => save.mutateAsync({ params: { id }, body })}
      tools={(open) => <TestConnection type={type} id={id} {...open} />}
    />
  );
}
