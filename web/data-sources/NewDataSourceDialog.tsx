import { useEffect, useState } from 'react';
import { recordEvent } from '../api/events.ts';
import { CreateSourceDialog } from './create/CreateSourceDialog.tsx';
import { SourceLogo } from './logos/SourceLogo.tsx';
import { TestConnection } from './TestConnection.tsx';
import { useCreateDataSource, useSourceTypes } from './useDataSources.ts';

/** Returns the id of the new source, or null when it was dismissed. */
export default function NewDataSourceDialog({ onClose }: { onClose: (createdId: number | null) => void }) {
  const types = useSourceTypes();
  const create = useCreateDataSource();
  const [createdId, setCreatedId] = useState<number | null>(null);

  useEffect(() => recordEvent('view', 'page', 'data_sources/new'), []);

  return (
    <CreateSourceDialog
      what="Data Source"
      kinds={types}
      logo={({ type, name }, size) => <SourceLogo type={type} typeName={name} size={size} />}
      onCreate={async (source) => setCreatedId((await create.mutateAsync({ body: source })).id)}
      tools={({ kind, fields, form, formId }) => <TestConnection type={kind.type} fields={fields} form={form} formId={formId} />}
      onClose={() => onClose(createdId)}
    />
  );
}
