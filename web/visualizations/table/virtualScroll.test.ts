import { describe, expect, test } from 'vitest';
import { barHeight, contentHeight, rowWindow, type ScrollPlace, scrolled, settled, tallest } from './virtualScroll.ts';

const small = { rowCount: 1000, rowHeight: 34, height: 600 };
const large = { rowCount: 1_000_000, rowHeight: 34, height: 600 };
const end = barHeight(large) - large.height;
const topEnd = contentHeight(large) - large.height;

const at = (bar: number, top: number, isJump = false): ScrollPlace => ({ bar, top, isJump });

test('a list that fits is scrolled as it is', () => {
  expect(barHeight(small)).toBe(34_000);
  expect(scrolled(at(0, 0), 1234, small)).toEqual(at(1234, 1234));
});

describe('a list taller than browsers draw', () => {
  test('has a shorter bar', () => {
    expect(barHeight(large)).toBe(tallest);
  });

  test('a small step moves by its own pixels', () => {
    expect(scrolled(at(1000, 5000), 1100, large)).toEqual(at(1100, 5100));
    expect(scrolled(at(1000, 5000), 900, large)).toEqual(at(900, 4900));
  });

  test('a jump goes to the same part of the whole', () => {
    expect(scrolled(at(0, 0), end / 2, large).top).toBeCloseTo(topEnd / 2);
    expect(scrolled(at(0, 0), end, large)).toEqual(at(end, topEnd, true));
    expect(scrolled(at(end, topEnd), 0, large)).toEqual(at(0, 0, true));
  });

  test('a jump to an end ends there, even if its last steps are small', () => {
    expect(scrolled(at(end - 100, topEnd - 900, true), end, large).top).toBe(topEnd);
    expect(scrolled(at(100, 900, true), 0, large).top).toBe(0);
  });

  test('a bar that came to its end too early gives way', () => {
    const place = scrolled(at(end - 100, 1_000_000), end, large);
    expect(place.top).toBe(1_000_100);
    expect(place.bar).toBeCloseTo((1_000_100 / topEnd) * end);
    const up = scrolled(at(50, 1_000_000), 0, large);
    expect(up.top).toBe(999_950);
    expect(up.bar).toBeGreaterThan(0);
  });

  test('no row is skipped by small steps, down or up', () => {
    const few = { rowCount: 300_000, rowHeight: 34, height: 600 };
    let place = at(0, 0);
    let seen = rowWindow(0, few).count;
    for (let step = 0; step < 40_000 && seen < few.rowCount; step += 1) {
      place = scrolled(place, Math.min(place.bar + 500, barHeight(few) - few.height), few);
      const { first, count } = rowWindow(place.top, few);
      if (first > seen) throw new Error(`rows ${seen} to ${first} were skipped`);
      seen = first + count;
    }
    expect(seen).toBe(few.rowCount);
    for (let step = 0; step < 40_000 && place.top > 0; step += 1) {
      const before = place.top;
      place = scrolled(place, Math.max(0, place.bar - 500), few);
      if (before - place.top > 500) throw new Error('rows were skipped');
    }
    expect(place).toEqual(at(0, 0));
  });

  test('settled, the bar tells the part of the whole', () => {
    expect(settled(topEnd / 2, large).bar).toBeCloseTo(end / 2);
    expect(settled(topEnd * 2, large)).toEqual(at(end, topEnd));
    expect(settled(5, { rowCount: 1, rowHeight: 34, height: 600 })).toEqual(at(0, 0));
  });
});

test('the rows of a window', () => {
  expect(rowWindow(0, small)).toEqual({ first: 0, count: 19, shift: 0 });
  expect(rowWindow(50, small)).toEqual({ first: 1, count: 19, shift: 16 });
  expect(rowWindow(33_400, small)).toEqual({ first: 982, count: 18, shift: 12 });
  expect(rowWindow(0, { ...small, rowCount: 0 })).toEqual({ first: 0, count: 0, shift: 0 });
});
