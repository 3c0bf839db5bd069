import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { shownValues, withGap, withRecords } from './deviceFeeds.ts';
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

describe('18: what is stored', () => {
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

  test('what was dropped is counted', () => {
    const feeds = withGap(withGap(withRecords(new Map(), [record('01')], 5), 'roof-1', 3), 'roof-1', 4);
    expect(feeds.get('roof-1')).toMatchObject({ dropped: 7, records: [{ uplink_id: '01' }] });
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
