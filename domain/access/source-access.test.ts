import { describe, expect, test } from 'vitest';
import { type Identity, nobody, type Person } from './identity.ts';
import { sourceAccess } from './source-access.ts';

const person = (group_ids: number[], permissions: string[] = ['view_query']): Person => ({
  kind: 'user',
  id: 1,
  org_id: 1,
  name: '',
  email: '',
  group_ids,
  permissions,
  via: 'session',
  session_id: 1,
  channel_pks: null,
});
const groups = (levels: Record<number, 'view' | 'full'>) =>
  Object.entries(levels).map(([id, level]) => ({ group_id: Number(id), view_only: level === 'view' }));

describe('server-behaviour 27.5: access to a source', () => {
  test.each([
    [{ 1: 'view' }, [1], 'view'],
    [{ 1: 'full' }, [1], 'full'],
    [{ 1: 'full', 2: 'view' }, [1, 2], 'full'],
    [{ 1: 'view', 2: 'view' }, [1, 2], 'view'],
    [{ 2: 'full', 1: 'view' }, [1], 'view'],
    [{ 2: 'full' }, [1], 'none'],
    [{}, [1], 'none'],
    [{ 1: 'full' }, [], 'none'],
  ] as const)('groups %j for somebody in %j → %s', (levels, own, expected) => {
    expect(sourceAccess(groups(levels), person([...own]))).toBe(expected);
  });

  test('an administrator has it all, without sharing a group', () => {
    expect(sourceAccess([], person([], ['admin']))).toBe('full');
  });

  test('super_admin alone, nobody, and keys get nothing from groups', () => {
    const holder: Identity = { kind: 'query_key', org_id: 1, object_id: 1, acts_for: [person([1])], name: '', permissions: ['view_query'] };
    for (const who of [person([9], ['super_admin']), nobody, holder, { ...holder, kind: 'dashboard_token' as const }]) {
      expect(sourceAccess(groups({ 1: 'full' }), who)).toBe('none');
    }
  });
});
