import type { UserDetail } from '@telltale/domain/users/contract.ts';
import { expect, test } from 'vitest';
import { changesOf, profileFields } from './profileFields.ts';

const ada: UserDetail = {
  id: 7,
  name: 'Ada',
  email: 'ada@example.com',
  profile_image_url: '',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  disabled_at: null,
  is_disabled: false,
  active_at: null,
  is_invitation_pending: false,
  is_email_verified: true,
  auth_type: 'password',
  groups: [1, 2],
  group_ids: [1, 2],
  named_groups: [
    { id: 1, name: 'admin' },
    { id: 2, name: 'default' },
  ],
};

test('A7: only changed fields are sent', () => {
  expect(changesOf(ada, { name: 'Ada', email: 'ada@example.com', group_ids: [2, 1] })).toEqual({});
  expect(changesOf(ada, { name: 'Ada King', email: 'ada@example.com', group_ids: [1] })).toEqual({ name: 'Ada King', group_ids: [1] });
  expect(changesOf(ada, { name: 'Ada', email: 'king@example.com' })).toEqual({ email: 'king@example.com' });
});

test('A5: groups are a required choice for an enabled user', () => {
  const groups = profileFields(
    ada,
    [{ id: 1, name: 'admin', type: 'builtin', permissions: [], all_channels: true, created_at: '' }],
    null,
  ).at(-1);
  expect(groups).toMatchObject({ type: 'multi-select', required: true, initialValue: [1, 2], options: [{ value: 1, name: 'admin' }] });
});

test('A2: the profile of a disabled user cannot be edited', () => {
  const fields = profileFields({ ...ada, is_disabled: true }, [], 'admin');
  expect(fields.every((field) => field.readOnly || field.type === 'content')).toBe(true);
});
