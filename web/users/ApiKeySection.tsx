import type { UserDetail } from '@telltale/domain/users/contract.ts';
import { Button } from 'antd';
import { CopyField } from '../ui/CopyField.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Section } from '../ui/Section.tsx';
import { useRegenerateApiKey } from './useUsers.ts';

export function ApiKeySection({ user: { id, api_key } }: { user: UserDetail }) {
  const regenerate = useRegenerateApiKey();
  if (!api_key) return null;
  const ask = () =>
    confirm({
      title: 'Regenerate API Key',
      content: (
        <>
          <p>Are you sure you want to regenerate?</p>
          <p>The old key stops working at once, in every script that uses it.</p>
        </>
      ),
      okText: 'Regenerate',
      danger: true,
      onOk: () => regenerate.mutateAsync({ params: { id } }),
    });
  return (
    <Section title="API Key">
      <CopyField label="API Key" value={api_key} isSecret />
      <Button onClick={ask}>Regenerate</Button>
    </Section>
  );
}
