import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chooseUnprivilegedUser, findClosedFolder, listSystemUsers, mayAccess } from './folder-access.ts';
import { temporaryFolder } from './testing.ts';

const stranger = { name: 'stranger', uid: 54_321, gid: 54_321 };
const me = { name: 'me', uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

describe('folder access', () => {
  test('the first folder on the way that the user may not enter is found', async () => {
    const root = await temporaryFolder();
    const deep = join(root, 'closed', 'open');
    await mkdir(deep, { recursive: true });
    expect(await findClosedFolder(deep, stranger)).toBeUndefined();
    await chmod(join(root, 'closed'), 0o700);
    expect(await findClosedFolder(deep, stranger)).toBe(join(root, 'closed'));
    expect(await findClosedFolder(deep, me)).toBeUndefined();
  });

  test('the folder itself counts as well', async () => {
    const root = await temporaryFolder(0o700);
    expect(await findClosedFolder(root, stranger)).toBe(root);
  });

  test('the bits of owner, group and others apply to whom they are meant for', async () => {
    const folder = await temporaryFolder(0o750);
    expect(await mayAccess(folder, me, 0o7)).toBe(true);
    expect(await mayAccess(folder, { ...stranger, gid: me.gid }, 0o5)).toBe(true);
    expect(await mayAccess(folder, { ...stranger, gid: me.gid }, 0o2)).toBe(false);
    expect(await mayAccess(folder, stranger, 0o1)).toBe(false);
  });

  test('telltale is preferred to postgres and postgres to nobody, and root is never chosen', async () => {
    const user = (name: string, uid: number) => ({ name, uid, gid: uid });
    const [telltale, postgres, nobody] = [user('telltale', 900), user('postgres', 101), user('nobody', 65_534)];
    expect(chooseUnprivilegedUser([nobody, postgres, telltale])).toBe(telltale);
    expect(chooseUnprivilegedUser([nobody, postgres])).toBe(postgres);
    expect(chooseUnprivilegedUser([user('postgres', 0), nobody])).toBe(nobody);
    expect(chooseUnprivilegedUser([user('root', 0)])).toBeUndefined();
  });

  test('the users of this machine are read', async () => {
    expect(await listSystemUsers()).toContainEqual({ name: 'root', uid: 0, gid: 0 });
  });
});
