import type { Group } from '@telltale/domain/groups/contract.ts';
import type { UserChanges, UserDetail } from '@telltale/domain/users/contract.ts';
import type { ReactNode } from 'react';
import type { Field, FormValues } from '../ui/form/field.ts';

/** A5: name and e-mail are required, groups too unless they are read-only; a disabled account is read-only. */
export function profileFields(user: UserDetail, groups: readonly Group[], fixedGroups: ReactNode): Field[] {
  const readOnly = user.is_disabled;
  return [
    { name: 'name', title: 'Name', type: 'text', required: true, initialValue: user.name, readOnly, autoComplete: 'name' },
    { name: 'email', title: 'Email', type: 'email', required: true, initialValue: user.email, readOnly, autoComplete: 'email' },
    fixedGroups === null
      ? {
          name: 'group_ids',
          title: 'Groups',
          type: 'multi-select',
          required: true,
          initialValue: user.groups,
          options: groups.map(({ id, name }) => ({ value: id, name })),
        }
      : { name: 'groups', title: 'Groups', type: 'content', content: fixedGroups },
  ];
}

/** A7: only changed fields are sent. */
export function changesOf(user: UserDetail, { name, email, group_ids }: FormValues): UserChanges {
  const changes: UserChanges = {};
  if (typeof name === 'string' && name !== user.name) changes.name = name;
  if (typeof email === 'string' && email !== user.email) changes.email = email;
  const ids = Array.isArray(group_ids) ? group_ids.map(Number) : null;
  if (ids && !isSameSet(ids, user.groups)) changes.group_ids = ids;
  return changes;
}

const isSameSet = (a: readonly number[], b: readonly number[]) => a.length === b.length && a.every((id) => b.includes(id));
