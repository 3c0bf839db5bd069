import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'vitest/config';
import { declaredRows } from './declared-rows.ts';
import type { Statement } from './row-shape.ts';

const root = join(import.meta.dirname, '../../..');
const runtime = join(import.meta.dirname, 'checked-sql.ts')
  .split(sep)
  .join('/');
const cacheFolder = join(root, 'node_modules/.cache/row-types');

let known: Record<string, Statement[]> | undefined;

/** Every statement of the server; the checker is asked again only when a source has changed. */
export function statements(): Record<string, Statement[]> {
  if (known) return known;
  const cached = join(cacheFolder, `${sourcesHash()}.json`);
  if (existsSync(cached)) {
    known = JSON.parse(readFileSync(cached, 'utf8')) as Record<string, Statement[]>;
    return known;
  }
  known = declaredRows(root);
  rmSync(cacheFolder, { recursive: true, force: true });
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(cached, JSON.stringify(known));
  return known;
}

function sourcesHash(): string {
  const hash = createHash('sha1').update(readFileSync(join(root, 'package-lock.json')));
  for (const folder of ['server', 'domain']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/(?<!\.test)\.ts$/.test(entry.name) || entry.parentPath.includes('node_modules')) continue;
      const path = join(entry.parentPath, entry.name);
      hash.update(path).update(readFileSync(path));
    }
  }
  return hash.digest('hex');
}

/** Puts a checked tag in the place of each `sql<T>`, without moving a line. */
export function rowTypes(): Plugin {
  return {
    name: 'telltale-row-types',
    enforce: 'pre',
    watchChange() {
      known = undefined;
    },
    transform(code, id) {
      const path = relative(root, id.split('?')[0] ?? '')
        .split(sep)
        .join('/');
      const found = code.includes('sql<') ? statements()[path] : undefined;
      return found ? { code: withChecks(code, found), map: null } : null;
    },
  };
}

function withChecks(code: string, found: readonly Statement[]): string {
  let text = code;
  for (const [index, { place, start, end }] of [...found.entries()].reverse()) {
    const tag = text.slice(start, end);
    if (!/^sql<.*>$/s.test(tag)) throw new Error(`${place}: ${JSON.stringify(tag)} is not sql<…>`);
    // The lines of a type that is left out stay, so that places in reports are those of the source.
    text = `${text.slice(0, start)}_checked(sql, _statements[${index}])${tag.replace(/[^\n]/g, '')}${text.slice(end)}`;
  }
  const described = found.map(({ place, shape }) => ({ place, shape }));
  return `import { checked as _checked } from ${JSON.stringify(runtime)}; const _statements = ${JSON.stringify(described)}; ${text}`;
}
