import type { TypeSchema } from '@telltale/domain/forms/type-schema.ts';
import { Button } from 'antd';
import { type ReactNode, useId } from 'react';
import { DynamicForm } from './DynamicForm.tsx';
import { EmptyState } from './EmptyState.tsx';
import { ErrorState } from './ErrorState.tsx';
import { FormSkeleton } from './FormSkeleton.tsx';
import type { Field, FormValues } from './form/field.ts';
import { fieldsFromTypeSchema, hasChangedExtras } from './form/fieldsFromTypeSchema.ts';
import { nameAndOptions } from './form/payload.ts';
import type { FormState } from './form/useFormState.ts';

interface Kind {
  type: string;
  name: string;
  configuration_schema: TypeSchema;
}

interface KindFormProps {
  /** "data source", for a type that the server does not know any more. */
  what: string;
  item: { id: number; type: string; name: string; options: Readonly<Record<string, unknown>> };
  kinds: { data?: readonly Kind[] | undefined; error: Error | null; refetch: () => unknown };
  onSave: (fields: { type: string; name: string; options: FormValues }) => Promise<unknown>;
  /** Actions beside Save, such as a test. */
  tools: (open: { fields: readonly Field[]; form: FormState; formId: string }) => ReactNode;
}

/** The settings of a saved data source or destination, drawn from the schema of its kind. */
export function KindForm({ what, item, kinds, onSave, tools }: KindFormProps) {
  const formId = useId();
  if (kinds.error && !kinds.data) return <ErrorState error={kinds.error} onRetry={kinds.refetch} />;
  if (!kinds.data) return <FormSkeleton rows={6} />;
  const { id, type, name, options } = item;
  const kind = kinds.data.find((known) => known.type === type);
  if (!kind) return <EmptyState>{`There is no ${what} type ${type} any more.`}</EmptyState>;

  const target = { typeName: kind.name, id, name, options };
  const fields = fieldsFromTypeSchema(kind.configuration_schema, target);
  return (
    <DynamicForm
      id={formId}
      fields={fields}
      areExtrasOpen={hasChangedExtras(kind.configuration_schema, target)}
      onSubmit={(values) => onSave({ type, ...nameAndOptions(values) })}
      actions={(form) => (
        <>
          <Button type="primary" htmlType="submit" loading={form.isSaving}>
            Save
          </Button>
          {tools({ fields, form, formId })}
        </>
      )}
    />
  );
}
