import type { FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import type { Field } from '../ui/form/field.ts';
import { usePauseDataSource } from './useDataSources.ts';

const longestReason = 1000;

const fieldsFor = (name: string): Field[] => [
  {
    name: 'about',
    title: name,
    type: 'content',
    content: 'Queries are refused, and scheduled ones are skipped, until it is resumed. Those that run now run to their end.',
  },
  {
    name: 'reason',
    title: 'Reason',
    type: 'text',
    placeholder: 'Maintenance until 18:00',
    info: 'Shown to everyone whose query is refused.',
    autoFocus: true,
    autoComplete: 'off',
    fault: (value) => (String(value).length > longestReason ? 'This field is too long.' : null),
  },
];

export default function PauseDialog({ source: { id, name }, onClose }: { source: FullDataSource; onClose: () => void }) {
  const pause = usePauseDataSource();
  return (
    <FormDialog
      title="Pause Data Source"
      okText="Pause"
      fields={fieldsFor(name)}
      showsErrors
      onSubmit={({ reason }) => pause.mutateAsync({ params: { id }, body: { reason: typeof reason === 'string' ? reason : null } })}
      onClose={onClose}
    />
  );
}
