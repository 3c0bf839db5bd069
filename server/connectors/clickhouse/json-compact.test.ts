import { expect, test } from 'vitest';
import { type MetaColumn, readCompact, ServerFault } from './json-compact.ts';

const head = '{\n\t"meta":\n\t[\n\t\t{\n\t\t\t"name": "a",\n\t\t\t"type": "UInt64"\n\t\t}\n\t],\n\n\t"data":\n\t[\n';
const end = '\n\t],\n\n\t"rows": 2,\n\n\t"statistics":\n\t{\n\t\t"elapsed": 0.1\n\t}\n}\n';
const whole = `${head}\t\t["1"],\n\t\t[9007199254740993]${end}`;

async function* pieces(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size = 1 << 20) {
  const columns: MetaColumn[] = [];
  const rows: unknown[][] = [];
  const hasAnswer = await readCompact(pieces(text, size), {
    columns: (found) => void columns.push(...found),
    rows: async (found) => void rows.push(...found),
  });
  return { hasAnswer, columns, rows };
}

test.each([1, 7, 64, 1 << 20])('a whole answer is read, in pieces of %d bytes', async (size) => {
  expect(await read(whole, size)).toEqual({
    hasAnswer: true,
    columns: [{ name: 'a', type: 'UInt64' }],
    rows: [['1'], [9007199254740993n]],
  });
});

test('totals of the tail are the last row, exactly; a failure behind them counts more', async () => {
  const totals = `${head}\t\t["1"]\n\t],\n\n\t"totals": [9007199254740993],\n\n\t"rows": 1`;
  for (const size of [3, 1 << 20]) expect((await read(`${totals}\n}\n`, size)).rows).toEqual([['1'], [9007199254740993n]]);
  await expect(read(`${totals},\n\n\t"exception": "Code: 1. DB::Exception: late"\n}\n`)).rejects.toThrow(/late/);
});

test('no rows, and no answer at all', async () => {
  expect(await read(`${head}\n${end.slice(1)}`)).toMatchObject({ hasAnswer: true, rows: [] });
  expect(await read('')).toMatchObject({ hasAnswer: false, columns: [] });
});

test('an answer cut anywhere is never taken for a whole one', async () => {
  for (let length = 1; length < whole.length - 3; length++) await expect(read(whole.slice(0, length)), `${length}`).rejects.toThrow();
});

const failure =
  "Code: 395. DB::Exception: Value passed to 'throwIf' function is non-zero. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO) (version 24.8.1.1 (official build))";

test.each([
  ['right behind a row', `${head}\t\t[1],\n\t\t[2]${failure}`],
  ['on a line of its own', `${head}\t\t[1],\n\t\t[2]\n${failure}\n`],
  ['before the first row', `${head}${failure}`],
  ['in the head', failure],
  ['between marks', `${head}\t\t[1]\r\n__exception__\r\nabcdefghijklmnop\r\n${failure}\r\n123 abcdefghijklmnop\r\n__exception__\r\n`],
  ['in the tail', `${head}\t\t[1]\n\t],\n\n\t"rows": 1,\n\n\t"exception": ${JSON.stringify(failure)}\n}\n`],
])('a failure %s is found', async (_where, text) => {
  for (const size of [5, 1 << 20]) {
    const error = await read(text, size).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServerFault);
    expect((error as Error).message.trim()).toBe(failure);
  }
});

test('a text that only looks like a failure is a row', async () => {
  expect((await read(`${head}\t\t[${JSON.stringify(failure)}],\n\t\t["\\n\\t]"]${end}`)).rows).toEqual([[failure], ['\n\t]']]);
});

test('another format is named as what it is', async () => {
  await expect(read('1\t2\n')).rejects.toThrow('leave the FORMAT clause out');
});
