import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');

const sources = ['domain', 'server', 'web'].flatMap((floor) =>
  readdirSync(join(root, floor), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|tsx)$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/\.test\.tsx?$|\/testing\//.test(path)),
);

test('security 30: nothing that comes in is read by a format that can carry code or objects', () => {
  const readers = /from '(?:node:)?v8'|\bdeserialize\(|node-serialize|js-yaml|funcster|bson['"]|msgpack|\beval\(|new Function\(/;
  expect(sources.filter((path) => readers.test(text(path)))).toEqual([]);
});

test('security 39: every dependency has one exact version, from the registry, with a checksum in the lock file', () => {
  for (const place of ['package.json', 'server/package.json', 'web/package.json', 'domain/package.json']) {
    const {
      dependencies = {},
      devDependencies = {},
      optionalDependencies = {},
    } = JSON.parse(text(place)) as Record<string, Record<string, string>>;
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }))
      expect(version, `${name} in ${place}`).toMatch(/^\d+\.\d+\.\d+(?:[-+][\w.-]+)?$/);
  }
  const { packages } = JSON.parse(text('package-lock.json')) as {
    packages: Record<string, { resolved?: string; integrity?: string; link?: boolean; inBundle?: boolean }>;
  };
  const foreign = Object.entries(packages).filter(([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle);
  expect(foreign.length).toBeGreaterThan(100);
  expect(foreign.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
});

test('security 39: the sanitiser is of the branch that is maintained', () => {
  const { packages } = JSON.parse(text('package-lock.json')) as { packages: Record<string, { version?: string }> };
  const found = Object.entries(packages).filter(([path]) => path.endsWith('node_modules/dompurify'));
  for (const [path, { version }] of found) expect(Number(version?.split('.')[0]), path).toBeGreaterThanOrEqual(3);
});

test('security 36: compose files publish the pages and the broker, and nothing else; the database has a password', () => {
  for (const place of ['deploy/compose.yml', 'deploy/compose.scaled.yml']) {
    const published = [...text(place).matchAll(/^\s*ports:\s*(.*)$/gm)].map(([, ports = '']) => ports.trim());
    expect([place, published]).toEqual([place, ["['5000:5000', '1883:1883']"]]);
    expect(text(place)).not.toMatch(/network_mode:\s*['"]?host|POSTGRES_HOST_AUTH_METHOD/);
  }
  // Without a default: it does not start before somebody has chosen one.
  expect(text('deploy/compose.scaled.yml')).toContain('${POSTGRES_PASSWORD:?');
});

test('security 40: who finds a hole reads where to report it, when to expect an answer and what happens then', () => {
  const policy = text('SECURITY.md');
  expect(policy).toMatch(/## Reporting/);
  for (const promise of [/privately/i, /three working days/i, /thirty/i, /credit/i]) expect(policy).toMatch(promise);
  expect(policy).toContain('docs/advisory-template.md');
  expect(text('docs/advisory-template.md')).toMatch(/Steps[\s\S]*Severity/);
});
