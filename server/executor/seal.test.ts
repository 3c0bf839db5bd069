import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sealing } from './seal.ts';

/** Calls it when no file descriptor is left, and again when there are some. */
const short = `
  import { closeSync, openSync } from 'node:fs';
  import { sealing } from '${new URL('./seal.ts', import.meta.url)}';
  const taken = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {}
  let first;
  try {
    first = sealing('network and writing', '/usr');
  } catch (error) {
    first = error.code;
  }
  for (const file of taken) closeSync(file);
  console.log(JSON.stringify([first, sealing('network and writing', '/usr')]));`;

test('security 7: want of files for a moment is not taken for a system that cannot take the network away', async () => {
  const command = ['-c', 'ulimit -n 60; exec "$0" "$@"', process.execPath, '--input-type=module', '-e', short];
  const { stdout } = await promisify(execFile)('sh', command);
  expect(JSON.parse(stdout)).toEqual([process.platform === 'linux' ? 'EMFILE' : [], sealing('network and writing', '/usr')]);
});
