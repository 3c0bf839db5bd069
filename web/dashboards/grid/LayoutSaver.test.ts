import type { PlacedWidget } from '@telltale/domain/dashboards/contract.ts';
import { type FullPosition, positionOf } from '@telltale/domain/dashboards/grid.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../api/ApiError.ts';
import { LayoutSaver, type Move } from './LayoutSaver.ts';

const at = (col: number, row: number): FullPosition => positionOf({ col, row, sizeX: 2, sizeY: 2 });
const time = '2026-01-01T00:00:00.000Z';
const accepted = (moves: Move[]): PlacedWidget[] =>
  moves.map(({ id, version, options }) => ({ id, version: version + 1, options, updated_at: time }));
const conflict = (widgets: PlacedWidget[], removed: number[] = []) => new ApiError(409, 'Moved.', { message: 'Moved.', widgets, removed });

describe('saving the layout', () => {
  const send = vi.fn<(moves: Move[]) => Promise<PlacedWidget[]>>();
  const onFailed = vi.fn();
  const onRemoved = vi.fn();
  const make = () =>
    new LayoutSaver(
      [
        { id: 1, version: 1, position: at(0, 0) },
        { id: 2, version: 1, position: at(2, 0) },
      ],
      { send, onFailed, onRemoved },
    );
  let saver = make();
  const move = (id: number, position: FullPosition) => saver.move(new Map([...saver.positions(), [id, position]]), id);

  beforeEach(() => {
    vi.useFakeTimers();
    send.mockReset().mockImplementation(async (moves) => accepted(moves));
    onFailed.mockReset();
    onRemoved.mockReset();
    saver = make();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('D9: one request, two seconds after the last of many moves', async () => {
    for (let col = 0; col < 4; col++) {
      move(1, at(col, 5));
      await vi.advanceTimersByTimeAsync(1900);
    }
    move(2, at(0, 9));
    expect(send).not.toHaveBeenCalled();
    expect(saver.status()).toBe('saving');
    await vi.advanceTimersByTimeAsync(2000);
    expect(send).toHaveBeenCalledOnce();
    expect(send.mock.calls[0]?.[0].map(({ id }) => id)).toEqual([1, 2]);
    expect(saver.status()).toBe('saved');
  });

  test('automatic heights are saved at the end of an edit, and are no change before that', async () => {
    const fitted = new Map([...saver.positions(), [2, { ...at(2, 0), autoHeight: true, sizeY: 7 }]]);
    saver.fit(fitted);
    await vi.advanceTimersByTimeAsync(5000);
    expect([saver.status(), send.mock.calls.length]).toEqual(['saved', 0]);
    expect(await saver.settle()).toBe(true);
    expect(send.mock.calls[0]?.[0]).toMatchObject([{ id: 2, options: { position: { sizeY: 7 } } }]);
  });

  test('a widget moved back to its place is not sent', async () => {
    move(1, at(4, 4));
    move(1, at(0, 0));
    expect(saver.status()).toBe('saved');
    await vi.advanceTimersByTimeAsync(5000);
    expect(send).not.toHaveBeenCalled();
  });

  test('the next save carries the version that the last one answered', async () => {
    move(1, at(4, 0));
    expect(await saver.settle()).toBe(true);
    move(1, at(3, 0));
    await saver.settle();
    expect(send.mock.calls.map(([[sent]]) => sent?.version)).toEqual([1, 2]);
  });

  test('D8: a failure is notified once, and Retry sends the same again', async () => {
    send.mockRejectedValueOnce(new ApiError(0, 'gone'));
    move(1, at(4, 0));
    await vi.advanceTimersByTimeAsync(2000);
    expect([saver.status(), onFailed.mock.calls.length]).toEqual(['saving_failed', 1]);
    saver.retry();
    await vi.advanceTimersByTimeAsync(0);
    expect(saver.status()).toBe('saved');
    expect(send.mock.calls[1]?.[0]).toEqual(send.mock.calls[0]?.[0]);
  });

  test('W19: two editors meet, and the moves of both are there', async () => {
    send.mockRejectedValueOnce(conflict([{ id: 2, version: 7, options: { position: at(4, 0) }, updated_at: time }]));
    // Widget 2 was only pushed aside by moving widget 1.
    saver.move(
      new Map([
        [1, at(2, 0)],
        [2, at(2, 2)],
      ]),
      1,
    );
    expect(await saver.settle()).toBe(true);
    expect(saver.positions().get(1)).toEqual(at(2, 0));
    expect(saver.positions().get(2)).toEqual(at(4, 0));
    expect(send.mock.calls[1]?.[0]).toEqual([{ id: 1, version: 1, options: { position: at(2, 0) } }]);
  });

  test('of one widget that both moved the later place counts', async () => {
    send.mockRejectedValueOnce(conflict([{ id: 1, version: 4, options: { position: at(3, 3) }, updated_at: time }]));
    move(1, at(4, 0));
    await saver.settle();
    expect(saver.positions().get(1)).toEqual(at(4, 0));
    expect(send.mock.calls[1]?.[0]).toMatchObject([{ id: 1, version: 4 }]);
  });

  test('what somebody else has removed is removed here, too', async () => {
    send.mockRejectedValueOnce(conflict([], [2]));
    saver.move(
      new Map([
        [1, at(4, 0)],
        [2, at(0, 4)],
      ]),
      2,
    );
    expect(await saver.settle()).toBe(true);
    expect(onRemoved).toHaveBeenCalledExactlyOnceWith([2]);
    expect([...saver.positions().keys()]).toEqual([1]);
  });

  test('moves made during a request go out after it', async () => {
    let answer = () => {};
    send.mockImplementationOnce((moves) => new Promise((resolve) => (answer = () => resolve(accepted(moves)))));
    move(1, at(4, 0));
    await vi.advanceTimersByTimeAsync(2000);
    move(1, at(3, 0));
    answer();
    await vi.advanceTimersByTimeAsync(2000);
    expect(send.mock.calls.map(([[sent]]) => sent?.options.position.col)).toEqual([4, 3]);
    expect(saver.status()).toBe('saved');
  });

  test('a widget saved otherwise keeps its place and takes its version', () => {
    move(1, at(4, 0));
    saver.sync([
      { id: 1, version: 5, position: at(0, 0) },
      { id: 3, version: 1, position: at(0, 8) },
    ]);
    expect(saver.positions().get(1)).toEqual(at(4, 0));
    expect([...saver.positions().keys()]).toEqual([1, 3]);
  });
});
