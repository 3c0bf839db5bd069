import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireFile, requirePath } from './files.ts';

let home = '';
let files = '';

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'telltale-files-'));
  files = join(home, 'files');
  await mkdir(join(files, 'sub'), { recursive: true });
  await mkdir(join(home, 'files-of-others'));
  await writeFile(join(home, 'secret.db'), 'canary');
  await writeFile(join(home, 'files-of-others', 'secret.db'), 'canary');
  await writeFile(join(files, 'a.db'), 'a');
  await writeFile(join(files, 'sub', '..b.db'), 'b');
  await symlink(join(home, 'secret.db'), join(files, 'out.db'));
  await symlink('../secret.db', join(files, 'out-too.db'));
  await symlink(home, join(files, 'up'));
  await symlink('/', join(files, 'root'));
  await symlink('a.db', join(files, 'in.db'));
  await symlink('/dev/zero', join(files, 'endless'));
  await symlink('nowhere', join(files, 'dangling'));
  await link(join(files, 'a.db'), join(files, 'same.db'));
  execFileSync('mkfifo', [join(files, 'pipe')]);
});
afterAll(() => rm(home, { recursive: true }));

test.each([
  ['a.db', 'a.db'],
  ['./a.db', 'a.db'],
  ['sub/..b.db', 'sub/..b.db'],
  ['in.db', 'a.db'],
  ['same.db', 'same.db'],
])('design 8: %s is a file in the folder', async (typed, path) => {
  expect(await requireFile(files, typed)).toBe(join(files, path));
});

test.each([
  ...[
    '/etc/passwd',
    '../secret.db',
    'sub/../../secret.db',
    'sub\\..\\..\\secret.db',
    '..',
    'C:\\x.db',
    'c:x.db',
    '\\\\host\\x',
    'a.db\0.csv',
  ],
  ...[
    'out.db',
    'out-too.db',
    'up/secret.db',
    'up/files-of-others/secret.db',
    'root/etc/passwd',
    'endless',
    'pipe',
    'dangling',
    'missing.db',
  ],
  ...['file:../secret.db', 'sub', '.', ''],
])('security 7: %j is refused, and the answer names no other path', async (typed) => {
  const error: unknown = await requireFile(files, typed).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect((error as Error).message).not.toContain(home);
});

test('a folder is one where a folder may be named', async () => {
  expect(await requirePath(files, 'sub')).toEqual({ path: join(files, 'sub'), isFolder: true });
  expect(await requirePath(files, '.')).toEqual({ path: files, isFolder: true });
  await expect(requirePath(files, 'up')).rejects.toThrow('leads out');
  await expect(requirePath(join(home, 'nowhere'), 'a.db')).rejects.toThrow("There is no 'a.db'");
});
