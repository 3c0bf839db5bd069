import { deliveryStates } from '@telltale/domain/commands/delivery.ts';
import { expect, test } from 'vitest';
import { attemptText, reasonText, sourceText, stateNames, toneOf } from './deliveryText.ts';

test('iot-behaviour 3.4: each state has a name, and succeeded reads Effect seen', () => {
  expect(deliveryStates.filter((state) => !stateNames[state])).toEqual([]);
  expect(stateNames.succeeded).toBe('Effect seen');
});

test('iot-behaviour 3.4: sent is a good end only where it is final', () => {
  expect(toneOf('sent', true)).toBe('ok');
  expect(toneOf('sent', false)).toBe('info');
  expect(toneOf('failed', true)).toBe('danger');
});

test('a reason without a sentence of its own is read as words', () => {
  expect(reasonText('condition_not_met')).toBe('the device did not report the effect');
  expect(reasonText('payload_too_long')).toBe('payload too long');
  expect(reasonText('decoder_error: no flow_key')).toBe('decoder_error: no flow_key');
});

test('attempts are counted only where there can be several', () => {
  expect(attemptText({ attempt: 1, max_attempts: 1 })).toBeNull();
  expect(attemptText({ attempt: 2, max_attempts: 4 })).toBe('attempt 2 of 4');
});

test('an execution says who sent it', () => {
  expect(sourceText({ source: 'manual', user: { id: 1, name: 'Ada' } })).toBe('Sent by Ada');
  expect(sourceText({ source: 'schedule', user: null })).toBe('Sent by a schedule');
});
