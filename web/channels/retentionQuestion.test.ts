import { retentionMessage } from '@telltale/domain/channels/contract.ts';
import { expect, test } from 'vitest';
import { readRetention, retentionQuestion } from './retentionQuestion.ts';

test.each([
  ['', { days: null }],
  [' 30 ', { days: 30 }],
  ['1', { days: 1 }],
  ['400', { days: 400 }],
  ...['0', '401', '-1', '1.5', '1e2', 'a month'].map((text): [string, object] => [text, { days: null, fault: retentionMessage }]),
])('iot-behaviour 1.8: %j is read as %j', (text, expected) => {
  expect(readRetention(text)).toEqual(expected);
});

test.each([
  [null, 30, 'Readings older than 30 days will be deleted. This cannot be undone.'],
  [30, 1, 'Readings older than 1 day will be deleted. This cannot be undone.'],
  [null, 400, 'Readings older than 400 days will be deleted. This cannot be undone.'],
  [30, 31, null],
  [30, 30, null],
  [30, null, null],
])('iot-behaviour 1.8: from %j to %j days asks %j', (before, after, question) => {
  expect(retentionQuestion(before, after)).toBe(question);
});
