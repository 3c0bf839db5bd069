import { type QueryKey, queryKeysApi } from '@telltale/domain/queries/keys.ts';
import { Button } from 'antd';
import { useRead } from '../../api/query.ts';
import { confirm } from '../../ui/confirm.tsx';
import { Label } from '../../ui/Label.tsx';
import { Person } from '../../ui/Person.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { useRevokeKey } from '../useQueryWrites.ts';
import styles from './QueryKeyList.module.css';

/** The keys of a query, for its owner and administrators: each user who opened it has a key of their own. */
export function QueryKeyList({ queryId, onRevoked }: { queryId: number; onRevoked: (userId: number) => void }) {
  const keys = useRead(queryKeysApi.ofQuery, { params: { id: queryId } }, { staleTime: 0 });
  const revoke = useRevokeKey();
  const ask = ({ user }: QueryKey) =>
    confirm({
      title: 'Revoke API Key',
      content: `The key of ${user.name} stops working at once, wherever it is used.`,
      okText: 'Revoke',
      danger: true,
      onOk: async () => {
        await revoke.mutateAsync({ params: { id: queryId, userId: user.id } });
        onRevoked(user.id);
      },
    });
  if (keys.isError) return <p role="alert">Failed to load the keys of this query.</p>;
  return (
    <ul className={styles.list} aria-label="Keys of this query" aria-busy={keys.isPending}>
      {(keys.data ?? []).map((key) => (
        <li key={key.user.id} className={styles.item}>
          <Person name={key.user.name} image={key.user.profile_image_url} />
          <span className={styles.used}>{key.last_used_at ? <TimeAgo date={key.last_used_at} /> : 'Never used'}</span>
          {key.revoked_at ? (
            <Label>Revoked</Label>
          ) : (
            <Button size="small" danger aria-label={`Revoke the key of ${key.user.name}`} onClick={() => void ask(key)}>
              Revoke
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
