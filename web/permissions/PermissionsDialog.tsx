import CloseOutlined from '@ant-design/icons/CloseOutlined';
import { isOwnerOrAdmin } from '@telltale/domain/access/permissions.ts';
import type { User } from '@telltale/domain/users/contract.ts';
import { Button } from 'antd';
import { useCan, useSession } from '../api/session.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Label } from '../ui/Label.tsx';
import { Person } from '../ui/Person.tsx';
import { Tooltip } from '../ui/Tooltip.tsx';
import { AddUserSelect } from './AddUserSelect.tsx';
import styles from './Permissions.module.css';
import { type AclApi, useGrants } from './useGrants.ts';

interface PermissionsDialogProps {
  /** The word for the object in the dialog. */
  thing: 'query' | 'dashboard';
  acl: AclApi;
  id: number;
  author: Pick<User, 'id' | 'name' | 'email' | 'profile_image_url'>;
  onClose: () => void;
}

/** D6 and screens 7: the users who may edit this beside administrators. Every change applies at once. */
export function PermissionsDialog({ thing, acl, id, author, onClose }: PermissionsDialogProps) {
  const { user } = useSession();
  const can = useCan();
  const grants = useGrants(acl, id);
  const mayChange = isOwnerOrAdmin(user, author.id);
  const others = grants.people.filter((person) => person.id !== author.id);
  return (
    <Dialog title="Manage Permissions" width={520} okText="Close" hasCancel={false} onClose={onClose} closesOnMask>
      <div className={styles.stack}>
        <p>Editing this {thing} is enabled for the users in this list and for admins.</p>
        {mayChange && can('list_users') && (
          <AddUserSelect taken={[author.id, ...others.map((person) => person.id)]} isBusy={grants.isBusy} onChoose={grants.grant} />
        )}
        {mayChange && !can('list_users') && <p className={styles.note}>You cannot add users, because you may not list them.</p>}
        {!mayChange && <p className={styles.note}>Only the author and admins can change this list.</p>}
        <h3 className={styles.heading}>Users with permissions</h3>
        {grants.hasFailed ? (
          <p className={styles.note} role="alert">
            Failed to load grantees list{' '}
            <Button size="small" onClick={() => void grants.retry()}>
              Try again
            </Button>
          </p>
        ) : (
          <ul className={styles.list} aria-label="Users with permissions" aria-busy={grants.isLoading}>
            <li className={styles.item}>
              <Person name={author.name} email={author.email} image={author.profile_image_url} />
              <Label>Author</Label>
            </li>
            {others.map((person) => (
              <li key={person.id} className={styles.item}>
                <Person name={person.name} email={person.email} image={person.profile_image_url} />
                {mayChange && (
                  <Tooltip title="Remove user permissions">
                    <Button
                      type="text"
                      size="small"
                      icon={<CloseOutlined />}
                      aria-label={`Remove user permissions: ${person.name}`}
                      disabled={grants.isBusy}
                      onClick={() => grants.revoke(person)}
                    />
                  </Tooltip>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
