import type { Condition } from '@telltale/domain/commands/schedule.ts';
import { expect, test } from 'vitest';
import { draftOfCondition, eventFields, newGroup, newRule, operatorsFor, type RuleDraft, ruleFaults, withKind } from './conditionDraft.ts';

const rule = (changes: Partial<RuleDraft>): RuleDraft => ({ ...newRule(), attribute: 'temperature', value: '5', ...changes });
const attributes = ['temperature', 'note'];

test('A5: attribute and value are required, and the attribute is one of the device', () => {
  expect(ruleFaults(rule({ attribute: ' ' }), attributes)).toEqual({ attribute: 'attribute is required' });
  expect(ruleFaults(rule({ attribute: 'pressure' }), attributes)).toEqual({ attribute: 'attribute is not matched with your device!' });
  expect(ruleFaults(rule({ value: '' }), attributes)).toEqual({ value: 'This field is required.' });
  expect(ruleFaults(rule({ value: 'warm' }), attributes)).toEqual({ value: 'This field must be a number.' });
});

test('A9: between says Invalid range when from is greater than to', () => {
  expect(ruleFaults(rule({ operator: 'between', value: '10', to: '9' }), attributes)).toEqual({ to: 'Invalid range' });
  expect(ruleFaults(rule({ operator: 'between', value: '9', to: '10' }), attributes)).toEqual({});
  const dates = { kind: 'date', operator: 'between', value: '2026-02-01', to: '2026-01-31' } as const;
  expect(ruleFaults(rule(dates), attributes)).toEqual({ to: 'Invalid range' });
});

test('one plain comparison is sent by its own fields', () => {
  const group = { ...newGroup(), items: [rule({ operator: '>=', value: '5.5' })] };
  expect(eventFields(group)).toEqual({ attribute: 'temperature', operator: '>=', value: 5.5 });
});

test('design 8.1: anything more is a condition', () => {
  const near = rule({ attribute: 'note', kind: 'text', operator: 'proximity', words: 'door, open', between: 4 });
  const inner = { ...newGroup('or'), items: [near, rule({ kind: 'boolean', operator: '==', value: 'true' })] };
  const group = { ...newGroup(), items: [rule({ operator: 'between', value: '1', to: '2' }), inner] };
  expect(eventFields(group)).toEqual({
    condition: {
      and: [
        { attribute: 'temperature', operator: 'between', value: [1, 2] },
        {
          or: [
            { attribute: 'note', operator: 'proximity', value: { words: ['door', 'open'], between: 4 } },
            { attribute: 'temperature', operator: '==', value: true },
          ],
        },
      ],
    },
  });
});

test('a saved condition is read back as it was', () => {
  const condition: Condition = {
    or: [
      { attribute: 'a', operator: '==', value: 'text' },
      {
        and: [
          { attribute: 'b', operator: 'between', value: ['08:00:00', '09:00:00'] },
          { attribute: 'c', operator: '!=', value: false },
        ],
      },
    ],
  };
  expect(eventFields(draftOfCondition(condition))).toEqual({ condition });
});

test('another kind of value keeps the operator only where it fits', () => {
  expect(withKind(rule({ operator: 'between' }), 'date').operator).toBe('between');
  expect(withKind(rule({ operator: '>' }), 'text').operator).toBe('==');
  expect(operatorsFor('boolean')).toEqual(['==', '!=']);
});
