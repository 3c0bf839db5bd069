import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { shownValues, withGap, withMissing, withRecords } from './deviceFeeds.ts';
import { liveUplink } from './index.ts';
import type { FeedRecord } from './uplinkFeed.ts';

const optionsOf = (stored: unknown) => liveUplink.effectiveOptions(stored, { columns: [], settings: commonSettings });
const record = (uplink_id: string, device_id = 'roof-1', values: Record<string, unknown> = { t: 1 }): FeedRecord => ({
  uplink_id,
  device_id,
  device_name: null,
  received_at: '2026-03-01T12:00:00Z',
  status: 'stored',
  values,
});

describe('18: stored options', () => {
  test('defaults under channelid and device_ids, which keep their spelling', () => {
    expect(optionsOf({ channelid: 'weather', device_ids: ['roof-1'], more: 1 })).toEqual({
      channelid: 'weather',
      device_ids: ['roof-1'],
      fields: [],
      maxItems: 50,
      dateTimeFormat: 'DD/MM/YYYY HH:mm',
      more: 1,
    });
  });

  test.each([
    ['roof-1', ['roof-1']],
    ['roof-1, roof-2', ['roof-1', 'roof-2']],
    [7, ['7']],
    [
      [1, 'a', null, 'a', ' '],
      ['1', 'a'],
    ],
    [null, []],
  ])('device_ids %j are %j', (stored, ids) => expect(optionsOf({ device_ids: stored })).toMatchObject({ device_ids: ids }));

  test('numbers in range', () => {
    expect(optionsOf({ maxItems: 0 })).toMatchObject({ maxItems: 1 });
    expect(optionsOf({ maxItems: 1e9, channelid: 5 })).toMatchObject({ maxItems: 500, channelid: '5' });
  });

  test('it says what it follows', () => {
    expect(
      liveUplink.summary({ columns: [], rows: [], isFiltered: false }, { channelid: 'weather', device_ids: ['a'] }, commonSettings),
    ).toBe('Live uplinks of 1 device in channel weather.');
  });
});

describe('18: records', () => {
  test('by device, each once, the newest first, only as many as are kept', () => {
    let feeds = withRecords(new Map(), [record('02'), record('01'), record('01', 'roof-2')], 2);
    feeds = withRecords(feeds, [record('03'), record('02')], 2);
    expect(feeds.get('roof-1')?.records.map(({ uplink_id }) => uplink_id)).toEqual(['03', '02']);
    expect(feeds.get('roof-2')?.records).toHaveLength(1);
  });

  test('what was left out is marked where it is missing, as long as that place is kept', () => {
    let feeds = withGap(withGap(withRecords(new Map(), [record('01')], 2), 'roof-1', 3), 'roof-1', 4);
    expect(feeds.get('roof-1')).toMatchObject({ gaps: new Map([['01', 7]]), records: [{ uplink_id: '01' }] });
    feeds = withGap(withRecords(feeds, [record('02')], 2), 'roof-1', 1);
    expect(feeds.get('roof-1')?.gaps).toEqual(new Map(Object.entries({ '01': 7, '02': 1 })));
    expect(withRecords(feeds, [record('03')], 2).get('roof-1')?.gaps).toEqual(new Map([['02', 1]]));
    expect(withGap(new Map(), 'roof-1', 5).get('roof-1')?.gaps).toEqual(new Map([['', 5]]));
  });

  test('a repetition stands beside what it repeats', () => {
    const feeds = withRecords(new Map(), [record('01'), { ...record('01'), status: 'duplicate' }, record('02')], 5);
    expect(feeds.get('roof-1')?.records.map(({ uplink_id, status }) => [uplink_id, status])).toEqual([
      ['02', 'stored'],
      ['01', 'duplicate'],
      ['01', 'stored'],
    ]);
  });

  test('a device that is gone keeps what it said, and is there again when it says something', () => {
    let feeds = withMissing(withRecords(new Map(), [record('01')], 5), ['roof-1', 'roof-2']);
    expect([...feeds.values()].map(({ isMissing, records }) => [isMissing, records.length])).toEqual([
      [true, 1],
      [true, 0],
    ]);
    feeds = withRecords(feeds, [record('02')], 5);
    expect(feeds.get('roof-1')?.isMissing).toBe(false);
  });

  test('fields choose values and their order', () => {
    const one = record('01', 'roof-1', { a: 1, b: null, c: 3 });
    expect(shownValues(one, [])).toEqual([
      ['a', 1],
      ['b', null],
      ['c', 3],
    ]);
    expect(shownValues(one, ['c', 'toString'])).toEqual([
      ['c', 3],
      ['toString', null],
    ]);
  });
});
