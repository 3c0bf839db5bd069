import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { isOwnerOrAdmin } from '@telltale/domain/access/permissions.ts';
import type { QuerySnippet } from '@telltale/domain/query-snippets/contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useCallback } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { useCan, useSession } from '../../api/session.ts';
import { SettingsFrame } from '../../layout/SettingsFrame.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { type Column, ItemsPage } from '../../ui/ItemsPage.tsx';
import { Person } from '../../ui/Person.tsx';
import { RowButton } from '../../ui/RowButton.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import styles from './SnippetsPage.module.css';
import { useDeleteSnippet, useSnippets } from './useSnippets.ts';

const SnippetDialog = lazy(() => import('./SnippetDialog.tsx'));
const list = '/query_snippets';

const columns: readonly Column<QuerySnippet>[] = [
  {
    title: 'Trigger',
    sort: 'trigger',
    cell: ({ id, trigger }) => (
      <Link to={`${list}/${id}`} replace>
        {trigger}
      </Link>
    ),
  },
  { title: 'Description', sort: 'description', cell: ({ description }) => description, hideBelow: 800 },
  { title: 'Snippet', cell: ({ snippet }) => <code className={styles.code}>{snippet}</code> },
  {
    title: 'Created By',
    cell: ({ user }) => <Person name={user.name} image={user.profile_image_url} />,
    width: 160,
    hideBelow: 960,
  },
  { title: 'Created At', sort: 'created_at', cell: ({ created_at }) => <TimeAgo date={created_at} />, width: 128, hideBelow: 800 },
  { title: '', cell: (snippet) => <DeleteSnippet snippet={snippet} />, width: 96, align: 'end' },
];

/** /query_snippets, and behind the dialog of /query_snippets/new and /query_snippets/:querySnippetId */
export function SnippetsPage() {
  const { querySnippetId } = useParams();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const snippets = useSnippets();
  const canCreate = useCan()('create_query');
  const isNew = pathname === `${list}/new`;
  const id = Number(querySnippetId);
  const go = useCallback((pathname: string) => navigate({ pathname, search }, { replace: true }), [navigate, search]);
  const close = useCallback(() => void go(list), [go]);
  return (
    <SettingsFrame>
      <ItemsPage
        title="Query Snippets"
        level={2}
        items={snippets}
        columns={columns}
        action={
          canCreate && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => go(`${list}/new`)}>
              New Query Snippet
            </Button>
          )
        }
        empty={
          <EmptyState
            action={
              canCreate && (
                <span>
                  <Link to={`${list}/new`} replace>
                    Click here
                  </Link>{' '}
                  to add one.
                </span>
              )
            }
          >
            There are no query snippets yet.
          </EmptyState>
        }
      />
      <Suspense>
        {isNew && canCreate && <SnippetDialog id={null} onClose={close} />}
        {!isNew && id > 0 && <SnippetDialog key={id} id={id} onClose={close} />}
      </Suspense>
    </SettingsFrame>
  );
}

function DeleteSnippet({ snippet }: { snippet: QuerySnippet }) {
  const { user } = useSession();
  const remove = useDeleteSnippet();
  if (!isOwnerOrAdmin(user, snippet.user.id)) return null;
  const ask = () =>
    confirm({
      title: 'Delete Query Snippet',
      content: `Are you sure you want to delete the snippet “${snippet.trigger}”?`,
      okText: 'Yes',
      cancelText: 'No',
      danger: true,
      onOk: () => remove.mutateAsync({ params: { id: snippet.id } }),
    });
  return (
    <RowButton thing={snippet.trigger} danger loading={remove.isPending} onClick={() => void ask()}>
      Delete
    </RowButton>
  );
}
