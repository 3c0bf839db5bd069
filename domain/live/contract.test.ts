import { expect, test } from 'vitest';
import { clientEvents, Frame } from './contract.ts';

test('iot-behaviour 1.11: a frame is an event and its data', () => {
  expect(Frame.parse({ event: 'watch', data: { job: 1 } })).toEqual({ event: 'watch', data: { job: 1 } });
  expect(Frame.parse({ event: 'ping' })).toEqual({ event: 'ping', data: {} });
  for (const wrong of [
    {},
    { event: '' },
    { event: 5 },
    { event: 'x'.repeat(51) },
    { event: 'x', data: [] },
    { event: 'x', data: 'y' },
    [],
    null,
  ]) {
    expect(Frame.safeParse(wrong).success).toBe(false);
  }
});

test('a job is watched by its id, in whatever case it is written', () => {
  const id = '3F2504E0-4F89-41D3-9A0C-0305E82C3301';
  expect(clientEvents.watch.parse({ job: id })).toEqual({ job: id.toLowerCase() });
  for (const job of ['x', 1, null, `${id} or 1=1`, {}]) expect(clientEvents.watch.safeParse({ job }).success).toBe(false);
});
