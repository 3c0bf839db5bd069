import type { FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import { Button } from 'antd';
import { useId } from 'react';
import { DynamicForm } from '../ui/DynamicForm.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
import { fieldsFromTypeSchema, hasChangedExtras } from '../ui/form/fieldsFromTypeSchema.ts';
import { nameAndOptions } from '../ui/form/payload.ts';
import { TestConnection } from './TestConnection.tsx';
import { useSaveDataSource, useSourceTypes } from './useDataSources.ts';

export function SourceForm({ source }: { source: FullDataSource }) {
  const formId = useId();
  const { data: types, error, refetch } = useSourceTypes();
  const save = useSaveDataSource();
  if (error && !types) return <ErrorState error={error} onRetry={refetch} />;
  if (!types) return <FormSkeleton rows={6} />;
  const { id, type, name, options } = source;
  const kind = types.find((known) => known.type === type);
  if (!kind) return <EmptyState>{`There is no data source type ${type} any more.`}</EmptyState>;

  const target = { typeName: kind.name, id, name, options };
  const fields = fieldsFromTypeSchema(kind.configuration_schema, target);
  return (
    <DynamicForm
      id={formId}
      fields={fields}
      areExtrasOpen={hasChangedExtras(kind.configuration_schema, target)}
      onSubmit={(values) => save.mutateAsync({ params: { id }, body: { type, ...nameAndOptions(values) } })}
      actions={(form) => (
        <>
          <Button type="primary" htmlType="submit" loading={form.isSaving}>
            Save
          </Button>
          <TestConnection type={type} id={id} fields={fields} form={form} formId={formId} />
        </>
      )}
    />
  );
}
