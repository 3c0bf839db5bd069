import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { isExcused } from '../server/connectors/testing/unbuilt.ts';
import { missingBrowser } from '../tests/e2e/support/browser.ts';

/** Runs the checks, then every test; the last line has the totals. */
const report = 'artifacts/tests.json';
rmSync(report, { force: true });

const run = (command: string, args: string[]) =>
  spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' }).status ?? 1;

const check = run('node', ['scripts/check.ts']);
const isCi = process.env.CI === '1' || process.env.CI === 'true';
// Processor times are read from /proc.
const bench = isCi && process.platform === 'linux' ? run('node', ['bench/run.ts', '--quick', 'query', 'ingest']) : undefined;
const tests = run('vitest', ['run', '--reporter', 'default', '--reporter', 'json', '--outputFile.json', report, ...process.argv.slice(2)]);

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[];
}

const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
const skipped = numPendingTests + numTodoTests + Number(missingBrowser !== undefined);
const brokenFiles = testResults.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
);
const failed = numFailedTests + brokenFiles.length + Number(check !== 0) + Number((bench ?? 0) !== 0);

for (const file of brokenFiles) console.error(`did not run: ${file.name}`);
if (check !== 0) console.error('npm run check failed');
if (bench !== undefined && bench !== 0) console.error('npm run bench -- --quick query ingest failed');
const skips = testResults.flatMap((file) => file.assertionResults.filter((test) => test.status === 'pending' || test.status === 'skipped'));
for (const test of skips) console.error(`skipped: ${test.fullName}`);
if (missingBrowser) console.error(`skipped: journeys in a browser (${missingBrowser})`);
// Tests whose name says that they cannot be installed on this platform are excused.
const excused = skips.filter(({ fullName }) => isExcused(fullName)).length;
// In CI everything should be installed, so a skip is a check that did not happen.
const fatal = isCi ? skipped - excused : 0;

console.log(`\n${numPassedTests + Number(check === 0) + Number(bench === 0)} passed, ${failed + fatal} failed`);
process.exit(failed + fatal > 0 || tests !== 0 ? 1 : 0);
