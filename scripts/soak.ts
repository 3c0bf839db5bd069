import { parseArgs } from 'node:util';
import { withInstallation } from '../bench/ingest/installation.ts';
import { bytesPerMessage } from '../bench/ingest/size-on-disk.ts';
import { lineChart } from '../bench/picture.ts';
import { facts, percentile, saveFile } from '../bench/report.ts';
import { type Sample, Sampler } from './soak/sampler.ts';
import { slopeOf } from './soak/slope.ts';
import { startWork } from './soak/work.ts';

/**
 * `npm run soak -- --minutes 30`: a fleet, queries, dashboards, alerts and commands together on a console of its own. Prints how memory moves,
 * what failed and how late things were, and writes artifacts/bench/soak.json with a picture.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '300' },
    devices: { type: 'string', default: '300' },
  },
});
const [minutes, rate, devices] = [values.minutes, values.rate, values.devices].map(Number) as [number, number, number];
if (!(minutes > 0) || !(rate > 0) || !(devices > 0)) {
  console.error('npm run soak -- [--minutes 30] [--rate 300] [--devices 300]');
  process.exit(2);
}

const report = await withInstallation(
  async (installation) => {
    const work = await startWork(installation, { seconds: minutes * 60, rate, devices });
    const sampler = new Sampler(installation);
    const samples = await sampler.during(work.done);
    const outcome = await work.done;
    return { samples, outcome, size: await bytesPerMessage(installation.ctx) };
  },
  { TELLTALE_ALLOW_PRIVATE: '127.0.0.1' },
);

const { samples, outcome, size } = report;
// The first third is left out: memory that a process takes while it warms up is no leak.
const settled = samples.slice(Math.floor(samples.length / 3));
const roles = ['web', 'worker', 'ingest', 'executors'] as const;
const of = (role: (typeof roles)[number]) => (sample: Sample) => sample.mb[role];
const slopes = Object.fromEntries(
  roles.map((role) => [role, slopeOf(settled.map((sample) => ({ x: sample.minute, y: of(role)(sample) })))]),
);

console.log(`\nsoak of ${minutes} minutes, ${devices} devices, ${rate} messages/s`);
for (const role of roles) {
  const { perUnit, error } = slopes[role] ?? { perUnit: 0, error: 0 };
  const isFlat = perUnit <= 2 * error || perUnit < 0.5;
  console.log(
    `  memory of ${role}: ${(settled.at(-1)?.mb[role] ?? 0).toFixed(0)} MB, slope ${perUnit.toFixed(2)} ± ${error.toFixed(2)} MB/min${isFlat ? '' : '  GROWS'}`,
  );
}
console.log(
  `  uplinks: ${outcome.uplinks} acknowledged, publish to PUBACK p50 ${outcome.ackP50.toFixed(1)} ms, p99 ${outcome.ackP99.toFixed(1)} ms`,
);
for (const [name, { times, errors }] of Object.entries(outcome.tasks)) {
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  console.log(`  ${name}: ${times.length} done, ${errors.length} errors, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`);
  for (const error of errors.slice(0, 5)) console.log(`    ${error}`);
}
console.log(
  `  rollups behind at most ${Math.max(...settled.map(({ rollupLag }) => rollupLag)).toFixed(0)} s, jobs waiting at most ${Math.max(...settled.map(({ waiting }) => waiting))}`,
);
console.log(`  disk for a message of two readings: ${size.toFixed(0)} bytes`);
saveFile('soak.json', `${JSON.stringify({ ...facts(), size, minutes, rate, devices, slopes, samples, outcome: summary() }, null, 2)}\n`);
const lines = roles.map((role) => ({ label: role, points: samples.map((sample) => ({ x: sample.minute, y: sample.mb[role] })) }));
saveFile('soak.svg', lineChart({ title: `Memory during a soak of ${minutes} minutes`, x: 'minutes', y: 'MB', lines }));
process.exit(Object.values(outcome.tasks).some(({ errors }) => errors.length > 0) ? 1 : 0);

function summary() {
  const tasks = Object.entries(outcome.tasks).map(([name, { times, errors }]) => ({
    name,
    done: times.length,
    errors: errors.slice(0, 50),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  }));
  return { ...outcome, tasks };
}
