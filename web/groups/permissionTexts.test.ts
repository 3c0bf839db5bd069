import { GrantablePermission } from '@telltale/domain/groups/contract.ts';
import { expect, test } from 'vitest';
import { permissionTexts } from './permissionTexts.ts';

test('every permission a group can be given is described once', () => {
  const described = permissionTexts.flatMap(({ permissions }) => permissions.map(({ name }) => name));
  expect(described.toSorted()).toEqual(GrantablePermission.options.toSorted());
});
