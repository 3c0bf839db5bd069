import type { Measured } from '../ingest/generator.ts';
import { type Installation, withInstallation } from '../ingest/installation.ts';
import { bytesPerMessage } from '../ingest/size-on-disk.ts';
import { lineChart } from '../picture.ts';
import { type Case, type Figure, saveFile } from '../report.ts';
import { gatewaySenders, generate } from './ingest.ts';

const scale = Number(process.env.BENCH_SCALE ?? 1);
const devices = 3000;
/** A machine that cannot take 10,000 a second beside the generator is measured at less: latency at overload says nothing. */
const rate = Number(process.env.BENCH_RATE ?? 10_000);
const burst = 100_000;
/** A console that has just started compiles its busiest code and analyses its new tables once; the rested figure is measured after that. */
const settlingSeconds = 12;

/** Publish to PUBACK at a steady rate, rested and right after a burst, second by second. */
export const steadyCase: Case = { name: 'steady', run: () => withInstallation(measure) };

async function measure({ ctx, port }: Installation): Promise<Figure[]> {
  const senders = await gatewaySenders(ctx, 'steady', devices);
  const load = { port, senders, window: 20, warmUpSeconds: 2 };
  const seconds = Math.max(5, 20 * scale);
  await generate({ ...load, warmUpMessages: 2 * devices, seconds: 1 });
  const rested = await generate({ ...load, warmUpSeconds: settlingSeconds, seconds, rate });
  await generate({ ...load, warmUpSeconds: 0, seconds: 600, messages: burst });
  const after = await generate({ ...load, warmUpSeconds: 0, seconds, rate });
  const line = (label: string, { curve }: Measured) => ({ label, points: curve.map(({ second, p99 }) => ({ x: second, y: p99 })) });
  const lines = [line('rested', rested), line(`after ${burst / 1000} k messages`, after)];
  saveFile('steady-curve.svg', lineChart({ title: `Publish to PUBACK at ${rate} messages/s, p99`, x: 'seconds', y: 'ms', lines }));
  const figure = (what: string, { p50, p99, perSecond }: Measured): Figure => ({
    what: `publish to PUBACK at ${Math.round(perSecond)} of ${rate} messages/s offered by ${devices} devices, ${what}, p99`,
    value: p99,
    unit: 'ms',
    reference: { what: 'p50', value: p50 },
    goal: '≤ 50 ms',
    isMet: p99 <= 50 && perSecond > rate * 0.95,
  });
  const size: Figure = {
    what: 'disk for a message of two readings',
    value: await bytesPerMessage(ctx),
    unit: 'bytes',
    goal: '–',
    isMet: true,
  };
  return [figure('rested', rested), figure(`after ${burst} messages at once`, after), size];
}
