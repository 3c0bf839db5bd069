import type { Group } from '@telltale/domain/groups/contract.ts';
import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useLeaveGuard } from '../ui/leaveGuard.ts';
import styles from './PermissionsPage.module.css';
import { permissionTexts } from './permissionTexts.ts';
import { type GrantedPermission, useSaveGroup } from './useGroups.ts';

const grantable = permissionTexts.flatMap(({ permissions }) => permissions.map(({ name }) => name));

export function PermissionsForm({ group }: { group: Group }) {
  const save = useSaveGroup();
  const [edited, setEdited] = useState<readonly GrantedPermission[] | null>(null);
  const [kept, setKept] = useState<{ over: Group; permissions: readonly GrantedPermission[] } | null>(null);
  // Until the group is read again, the saved permissions replace its own.
  const saved = kept?.over === group ? kept.permissions : grantable.filter((name) => group.permissions.includes(name));
  const granted = edited ?? saved;
  const isChanged = grantable.some((name) => granted.includes(name) !== saved.includes(name));
  useLeaveGuard(isChanged);

  const set = (name: GrantedPermission, isGranted: boolean) =>
    setEdited(grantable.filter((other) => (other === name ? isGranted : granted.includes(other))));
  const submit = () =>
    save.mutate(
      { params: { id: group.id }, body: { permissions: [...granted] } },
      {
        onSuccess: () => {
          setKept({ over: group, permissions: granted });
          // What was changed during the save stays.
          setEdited((now) => (now === edited ? null : now));
        },
      },
    );

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p className={styles.intro}>Members may do what any of their groups allows.</p>
      <div className={styles.areas}>
        {permissionTexts.map(({ area, permissions }) => (
          <fieldset key={area} className={styles.area}>
            <legend>{area}</legend>
            {permissions.map(({ name, title, text }) => (
              <Checkbox
                key={name}
                className={styles.permission}
                checked={granted.includes(name)}
                onChange={(event) => set(name, event.target.checked)}
              >
                {title}
                <span className={styles.text}>{text}</span>
              </Checkbox>
            ))}
          </fieldset>
        ))}
      </div>
      <div className={styles.actions}>
        <Button type="primary" htmlType="submit" disabled={!isChanged} loading={save.isPending}>
          Save
        </Button>
        {isChanged && <Button onClick={() => setEdited(null)}>Discard changes</Button>}
      </div>
    </form>
  );
}
