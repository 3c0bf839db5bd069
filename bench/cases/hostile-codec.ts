import { makeDevices } from '../../server/testing/fleet.ts';
import type { Load, Measured } from '../ingest/generator.ts';
import { type Installation, withInstallation } from '../ingest/installation.ts';
import { type Figure, median } from '../report.ts';
import { signIn } from '../server.ts';
import { generate } from './ingest.ts';

const scale = Number(process.env.BENCH_SCALE ?? 1);
const rounds = 3;
const seconds = Math.max(4, 15 * scale);
/** Well below what a machine of two cores takes: latency at overload says nothing about the codec. */
const rate = Number(process.env.BENCH_RATE ?? 500);
const hostileRate = 20;
const renewEveryMs = 1000;

const harmless = 'function decodeUplink(input) { return { data: { size: input.bytes.length } }; }';

/** One after the other, each as a new version: a version that takes too long too often is paused. */
const hostile = [
  'function decodeUplink() { for (;;) {} }',
  'function decodeUplink() { return { data: { hit: /^(a+)+$/.test("a".repeat(40) + "!") } }; }',
  'function decodeUplink() { var s = "x".repeat(1024); while (s.length < 1e9) s += s; return { data: { n: s.length } }; }',
  'function decodeUplink() { function deeper(n) { return deeper(n + 1) + 1; } return { data: { n: deeper(0) } }; }',
];

/** iot-behaviour 4.3: what other channels notice of a channel whose decoder is hostile. The same traffic with a harmless one is the reference. */
export const besideHostileCodec = (): Promise<Figure[]> => withInstallation(measure);

async function measure({ ctx, url, port }: Installation): Promise<Figure[]> {
  const key = await signIn(url);
  const save = async (channel: string, script: string) => {
    const answer = await fetch(`${url}/api/channels/${channel}/decoder`, {
      method: 'POST',
      headers: { authorization: `Key ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ script, examples: [] }),
    });
    if (!answer.ok) throw new Error(`The decoder of ${channel} was not saved: ${answer.status} ${await answer.text()}`);
  };
  const sendersOf = async (channel: string, devices: number, topic: string): Promise<Load['senders']> =>
    (await makeDevices(ctx, channel, devices)).map(({ channel_id, device_id, api_key }) => ({
      username: `${channel_id}/${device_id}`,
      password: api_key,
      topics: [`v1/${channel_id}/devices/${device_id}/${topic}`],
    }));
  const others = { plain: await sendersOf('plain', 50, 'up'), decoded: await sendersOf('decoded', 50, 'up/raw/2') };
  const suspect = await sendersOf('suspect', 10, 'up/raw/2');
  await save('decoded', harmless);
  await generate({ port, senders: [...others.plain, ...others.decoded], window: 5, warmUpSeconds: 1, seconds: 2 });

  const beside = async (scripts: readonly string[]): Promise<Record<keyof typeof others, Measured>> => {
    let [isOver, turn] = [false, 0];
    await save('suspect', scripts[turn++ % scripts.length] ?? harmless);
    const renewing = (async () => {
      while (!isOver) {
        await new Promise((done) => setTimeout(done, renewEveryMs));
        await save('suspect', `${scripts[turn++ % scripts.length] ?? harmless} // ${turn}`);
      }
    })();
    const load = { port, window: 1, warmUpSeconds: 1, seconds };
    const besides = generate({ ...load, senders: suspect, rate: hostileRate, seconds: seconds + 1 });
    const [plain, decoded] = await Promise.all([
      generate({ ...load, senders: others.plain, rate: rate / 2 }),
      generate({ ...load, senders: others.decoded, rate: rate / 2 }),
    ]);
    isOver = true;
    await Promise.all([besides, renewing]);
    return { plain, decoded };
  };

  const [calm, disturbed]: Record<keyof typeof others, Measured>[][] = [[], []];
  for (let round = 0; round < rounds; round++) {
    calm?.push(await beside([harmless]));
    disturbed?.push(await beside(hostile));
  }
  // A message without an acknowledgement has no latency: it counts as the whole time of the round.
  const expected = (rate / 2) * seconds;
  const p99Of = ({ acknowledged, p99 }: Measured) => (acknowledged < 0.9 * expected ? Math.max(p99, seconds * 1000) : p99);
  const p99 = (runs: typeof calm, kind: keyof typeof others) => median((runs ?? []).map((each) => p99Of(each[kind])));
  return (['plain', 'decoded'] as const).map((kind): Figure => {
    const [value, reference] = [p99(disturbed, kind), p99(calm, kind)];
    return {
      what: `p99 of other channels beside a hostile codec, publish to PUBACK, ${kind === 'plain' ? 'JSON' : 'bytes with a decoder of their own'}`,
      value,
      unit: 'ms',
      reference: { what: 'beside a harmless one', value: reference },
      goal: '≤ 1.3 ×',
      isMet: value <= 1.3 * reference,
    };
  });
}
