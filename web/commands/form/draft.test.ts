import { expect, test } from 'vitest';
import { bodyOf, type CommandDraft, faultsOf, newDraft } from './draft.ts';

const draft = (changes: Partial<CommandDraft> = {}): CommandDraft => ({
  ...newDraft,
  name: 'Reboot',
  channel_id: 'weather',
  device_ids: ['roof-1'],
  payload: 'reboot',
  ...changes,
});
const around = { leastPort: 0, attributes: ['temperature'], isLorawan: false };
const required = 'This field is required.';

test('A5: a name is trimmed and has at least 2 characters', () => {
  expect(faultsOf(draft({ name: ' R ' }), around)).toEqual({ name: 'Min 2 characters expected' });
  expect(faultsOf(draft({ name: ' Re ' }), around)).toEqual({});
});

test('A5: channel, devices, fport and payload are required', () => {
  expect(faultsOf(draft({ channel_id: '', device_ids: [], fport: null, payload: '  ' }), around)).toEqual({
    channel_id: required,
    device_ids: required,
    fport: required,
    payload: required,
  });
});

test('A5: fport starts at 0 where a command is created, at 1 where it is edited, and ends at 223', () => {
  expect(newDraft.fport).toBe(1);
  expect(faultsOf(draft({ fport: 0 }), around)).toEqual({});
  expect(faultsOf(draft({ fport: 0 }), { ...around, leastPort: 1 })).toEqual({ fport: 'This field must be between 1 and 223.' });
  expect(faultsOf(draft({ fport: 224 }), around)).toEqual({ fport: 'This field must be between 0 and 223.' });
});

test('A5: with retry the condition, attribute and value are required, and the attribute is one of the device', () => {
  const retry = { retry_enabled: true, op: '>', column: 'temperature', value: '5' } as const;
  expect(faultsOf(draft(retry), around)).toEqual({});
  expect(faultsOf(draft({ ...retry, op: null, column: '', value: '' }), around)).toEqual({
    op: required,
    column: 'attribute is required',
    value: required,
  });
  expect(faultsOf(draft({ ...retry, column: 'pressure' }), around)).toEqual({ column: 'attribute is not matched with your device!' });
  expect(faultsOf(draft({ ...retry, column: 'pressure' }), { ...around, attributes: null })).toEqual({});
  expect(faultsOf(draft({ ...retry, retry_count: 11 }), around)).toEqual({ retry_count: 'This field must be between 0 and 10.' });
});

test('a payload has to fit its encoding', () => {
  expect(faultsOf(draft({ encoding: 'hex', payload: '0' }), around).payload).toContain('Hex digits');
  expect(faultsOf(draft({ encoding: 'json', payload: '{"on": 1}' }), around)).toEqual({});
});

test('A7: a command is sent with both names, and its condition with a typed value', () => {
  const body = bodyOf(draft({ name: ' Reboot ', retry_enabled: true, column: 'temperature', op: '<', value: '5' }), false);
  expect(body).toMatchObject({
    name: 'Reboot',
    command_name: 'Reboot',
    channel_id: 'weather',
    device_ids: ['roof-1'],
    retry_until: { options: { op: '<', column: 'temperature', value: 5 } },
  });
  expect(bodyOf(draft(), false).retry_until).toBeNull();
});
