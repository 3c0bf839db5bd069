import { Button, Space } from 'antd';
import { useCan } from '../api/session.ts';
import { EmptyState } from '../ui/EmptyState.tsx';

/** Screens 5.8: there is nothing to query, and what to do about it. */
export function NoSources({ hasOnlyViewOnly }: { hasOnlyViewOnly: boolean }) {
  const isAdmin = useCan()('admin');
  if (hasOnlyViewOnly) {
    return <EmptyState>You don't have permission to create new queries on any of the data sources available to you.</EmptyState>;
  }
  return (
    <EmptyState
      action={
        isAdmin ? (
          <Space wrap>
            <Button type="primary" href="/data_sources/new">
              Create Data Source
            </Button>
            <Button href="/groups">Manage Group Permissions</Button>
          </Space>
        ) : (
          'Please ask an administrator to create one first.'
        )
      }
    >
      Looks like no data sources were created yet or none of them available to the group(s) you're member of.
    </EmptyState>
  );
}
