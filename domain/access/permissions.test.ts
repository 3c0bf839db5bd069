import { describe, expect, test } from 'vitest';
import { defaultPermissions, hasAnyPermission, hasPermission, isOwnerOrAdmin, permissions } from './permissions.ts';

describe('server-behaviour 4.2: what a permission opens', () => {
  test.each(permissions)('%s opens itself', (permission) => {
    expect(hasPermission([permission], permission)).toBe(true);
    expect(hasPermission([], permission)).toBe(false);
  });

  test('an administrator holds every ordinary permission, but not super_admin', () => {
    for (const permission of permissions)
      expect([permission, hasPermission(['admin'], permission)]).toEqual([permission, permission !== 'super_admin']);
    for (const permission of permissions) expect(hasPermission(['admin', 'super_admin'], permission)).toBe(true);
  });

  test('super_admin alone is no administrator', () => {
    expect(hasPermission(['super_admin'], 'admin')).toBe(false);
    expect(hasPermission(['super_admin'], 'view_query')).toBe(false);
  });

  test('the default group holds neither', () => {
    expect(defaultPermissions).not.toContain('admin');
    expect(defaultPermissions).not.toContain('super_admin');
    expect(hasPermission(defaultPermissions, 'admin')).toBe(false);
    expect(defaultPermissions).toHaveLength(permissions.length - 2);
  });

  test.each(['Admin', 'admin ', 'ADMIN', 'administrator', '*', ''])('%j is no administrator', (held) => {
    expect(hasPermission([held], 'admin')).toBe(false);
  });

  test('of several, any one; of none, none', () => {
    expect(hasAnyPermission(['view_query'], ['execute_query', 'view_query'])).toBe(true);
    expect(hasAnyPermission(['view_query'], ['execute_query'])).toBe(false);
    expect(hasAnyPermission(['admin'], [])).toBe(false);
  });

  test('Q6: an item is edited by its owner and by administrators; nobody owns what has no owner', () => {
    const user = { id: 7, permissions: ['edit_query'] };
    expect([isOwnerOrAdmin(user, 7), isOwnerOrAdmin(user, 8), isOwnerOrAdmin(user, null)]).toEqual([true, false, false]);
    expect(isOwnerOrAdmin({ id: 1, permissions: ['admin'] }, null)).toBe(true);
  });
});
