import { expect, test } from 'vitest';
import { type Flush, FlushSlot, type StoreParts } from './flush.ts';
import { noCounts } from './flush-rows.ts';
import { NewPairs } from './series.ts';
import { type WriteConnection, WriteFault } from './write-connection.ts';

const aFlush = () =>
  ({
    batch: [],
    matches: [],
    pairs: new NewPairs(),
    days: () => ({ uplinkDays: [], pointDays: [], entryIdDays: [] }),
    fill: () => {},
    counts: noCounts,
    notice: () => undefined,
  }) as unknown as Flush;

/** A slot whose connection breaks after the first commit, and learns of that commit only when the database is back. */
function aSlot() {
  let [commits, isAway, writes] = [0, false, 0];
  const connection = {
    isOpen: true,
    async write() {
      writes++;
      if (isAway) throw new WriteFault(new Error('away'), true);
      commits++;
      if (commits > 1) return;
      isAway = true;
      throw new WriteFault(new Error('the answer was lost'), true);
    },
    async query() {
      if (isAway) throw new WriteFault(new Error('away'), true);
      return [{ seq: commits }];
    },
  } as unknown as WriteConnection;
  const parts = { writer: 'test', partitions: { ensure: async () => {} } } as unknown as StoreParts;
  const slot = new FlushSlot(0, connection, parts);
  const comeBack = () => {
    isAway = false;
  };
  return { slot, comeBack, seen: () => ({ commits, writes }) };
}

test('a flush whose answer was lost is not written twice', async () => {
  const { slot, comeBack, seen } = aSlot();
  const flush = aFlush();
  await expect(slot.write(flush, 1000)).rejects.toThrow();
  comeBack();
  await slot.write(flush, 1000);
  expect(seen()).toEqual({ commits: 1, writes: 1 });
});

test('the outcome of a flush that was given up says nothing about the next one: it is written', async () => {
  const { slot, comeBack, seen } = aSlot();
  await expect(slot.write(aFlush(), 1000)).rejects.toThrow();
  comeBack();
  await slot.write(aFlush(), 1000);
  expect(seen()).toEqual({ commits: 2, writes: 2 });
});
