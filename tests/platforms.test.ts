import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtFor, isExcused, unbuilt } from '../server/connectors/testing/unbuilt.ts';

interface Locked {
  name?: string;
  link?: boolean;
  resolved?: string;
  dev?: boolean;
  os?: string | string[];
  cpu?: string | string[];
  libc?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};

const platforms = [
  { os: 'linux', cpu: 'x64' },
  { os: 'linux', cpu: 'arm64' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'win32', cpu: 'x64' },
];

/** Where Node finds a package that is asked for at this place. */
function locate(from: string, name: string): string | undefined {
  for (let place = from; ; place = place.replace(/(?:^|\/)(?:node_modules\/)?(?:@[^/]+\/)?[^/]+$/, '')) {
    const path = [place, 'node_modules', name].filter(Boolean).join('/');
    if (packages[path]) return path;
    if (place === '') return undefined;
  }
}

const throughLink = (path: string): string => (packages[path]?.link ? (packages[path].resolved ?? path) : path);

/** Everything that `npm start` may load: the workspaces and what they depend on, without the packages of tests. */
function neededToStart(): string[] {
  const found = new Set<string>(['']);
  for (const path of found) {
    const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const at = locate(path, name);
      if (at !== undefined) found.add(throughLink(at));
    }
  }
  return [...found];
}

const listed = (value: string | string[] | undefined) => (value === undefined ? undefined : [value].flat());
const fits = ({ os, cpu, libc }: Locked, platform: (typeof platforms)[number]) =>
  listed(os)?.includes(platform.os) === true &&
  listed(cpu)?.includes(platform.cpu) === true &&
  (platform.os !== 'linux' || libc === undefined || libc.includes('glibc'));

const platformName = /(?:linux|darwin|win32|windows|win)-(?:x64|arm64)/;
/** One package for each platform; the name tells also of those that the lock file does not have. */
const familyOf = (path: string) => Object.keys(packages[path]?.optionalDependencies ?? {}).filter((name) => platformName.test(name));

describe('npm ci brings what npm start needs', () => {
  const families = neededToStart().filter((path) => familyOf(path).length > 0);

  test('the walk sees the packages that are built for a platform', () => {
    const names = families.map((path) => path.replace(/^.*node_modules\//, ''));
    expect(names).toEqual(expect.arrayContaining(['', 'server', '@duckdb/node-bindings', 'rolldown', 'lightningcss']));
  });

  test.each(platforms)('on $os $cpu', (platform) => {
    for (const path of families) {
      for (const group of groupsOf(familyOf(path))) {
        const entries = group.flatMap((name) => packages[locate(path, name) ?? ''] ?? []);
        expect([path, group[0], entries.some((entry) => fits(entry, platform))]).toEqual([path, group[0], true]);
      }
    }
  });
});

/** Our own package lists several kinds of them: what stands before the platform tells them apart. */
function groupsOf(names: readonly string[]): string[][] {
  // Node itself is published under two names.
  const kindOf = (name: string) => name.replace(platformName, ' ').split(' ')[0]?.replace('node-bin-', 'node-') ?? '';
  return [...Map.groupBy(names, kindOf).values()];
}

describe('packages of tests alone', () => {
  test('are not needed to start, and their platforms are the ones that the lock file has', () => {
    const started = neededToStart();
    for (const [name, built] of Object.entries(builtFor)) {
      const path = locate('server', name) ?? '';
      expect([name, started.includes(path), packages[path]?.dev]).toEqual([name, false, true]);
      const locked = platforms.filter((platform) =>
        familyOf(path).some((dependency) => fits(packages[locate(path, dependency) ?? ''] ?? {}, platform)),
      );
      expect([name, locked.map(({ os, cpu }) => `${os} ${cpu}`)]).toEqual([name, built]);
    }
  });

  test('a suite whose package has no build for this platform is excused by its name, and no other skip is', () => {
    expect(unbuilt('chdb', 'linux arm64')).toBe('chdb has no build for linux arm64');
    expect(unbuilt('chdb', 'linux x64')).toBeUndefined();
    const name = 'today’s clickhouse (chdb has no build for linux arm64) reads numbers';
    expect(isExcused(name, 'linux arm64')).toBe(true);
    expect(isExcused(name, 'linux x64')).toBe(false);
    expect(isExcused('clickhouse (needs clickhouse-server) reads numbers', 'linux arm64')).toBe(false);
    expect(isExcused('clickhouse (needs the npm package chdb) reads numbers', 'linux x64')).toBe(false);
  });
});
