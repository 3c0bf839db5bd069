import { uplinkInput } from '../../server/decoders/call-input.ts';
import { DecoderPool } from '../../server/decoders/engine/pool.ts';
import type { Case } from '../report.ts';
import { besideHostileCodec } from './hostile-codec.ts';

/** A codec as they are published: a signed temperature, humidity, battery and flags out of eleven bytes. */
const script = `function decodeUplink(input) {
  var b = input.bytes;
  var t = (b[0] << 8) | b[1];
  if (t > 32767) t -= 65536;
  var flags = [];
  for (var i = 0; i < 8; i++) if (b[5] & (1 << i)) flags.push(i);
  return { data: { temperature: t / 10, humidity: b[2] / 2, battery: ((b[3] << 8) | b[4]) / 1000, flags: flags.length,
    counter: ((b[6] << 24) | (b[7] << 16) | (b[8] << 8) | b[9]) >>> 0, door: b[10] === 1 } };
}`;
const calls = 20_000;
const rounds = 3;
const device = { channel_id: 'bench', device_id: 'device-1', dev_eui: null };
const inputOf = (n: number) =>
  uplinkInput({
    bytes: Uint8Array.from([n >> 8, n, 90, 14, 16, 5, 0, 0, n >> 8, n, 1], (byte) => byte & 255),
    fport: 2,
    receivedAtMs: 1_767_225_600_000,
    device,
  });

/** Best of some rounds, by time on the processors: others on the machine do not count. */
async function perCpuSecond(run: () => Promise<void> | void): Promise<number> {
  let best = 0;
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    best = Math.max(best, calls / ((user + system) / 1e6));
  }
  return best;
}

/** iot-behaviour 7.3: decoded messages per second and core, threads, queue and both crossings included, beside the same function in Node. */
export const decodeCase: Case = {
  name: 'decode',
  async run() {
    const inputs = Array.from({ length: calls }, (_, n) => inputOf(n));
    const pool = new DecoderPool({ threads: 1 });
    const decode = async () => {
      // As many at a time as a queue holds.
      for (let from = 0; from < calls; from += 2000) {
        const some = inputs.slice(from, from + 2000);
        await Promise.all(some.map((input) => pool.run('bench', script, { command: 'decodeUplink', input, withLog: false })));
      }
    };
    for (let n = 0; n < 50; n++) await pool.run('bench', script, { command: 'decodeUplink', input: inputOf(n), withLog: false });
    const decoded = await perCpuSecond(decode);
    await pool.stop();
    const plain = new Function(`${script}; return decodeUplink;`)() as (input: object) => object;
    const inNode = await perCpuSecond(() => {
      for (const input of inputs) {
        const argument = JSON.parse(input) as { recvTime: number | Date };
        argument.recvTime = new Date(argument.recvTime);
        JSON.stringify(plain(argument));
      }
    });
    return [
      {
        what: 'decoded messages per second and core, each from a fresh memory',
        value: decoded,
        unit: 'msg/s',
        reference: { what: 'the same function in plain Node', value: inNode },
        goal: '≥ 20,000 msg/s',
        isMet: decoded >= 20_000,
      },
      ...(await besideHostileCodec()),
    ];
  },
};
