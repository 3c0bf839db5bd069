import { NewAlert } from '@telltale/domain/alerts/contract.ts';
import { expect, test } from 'vitest';
import { bodyOf, draftFrom, generatedName, missingIn, newDraft } from './draft.ts';

const onQuery = { ...newDraft, query: { id: 7, name: 'Rooms' }, column: 'temperature', value: 30 };
const onDevice = { ...newDraft, kind: 'device', channel_id: 'weather', attribute: 'wind' } as const;

test('A3: an alert without a name is called after its query, column, operator and value', () => {
  expect(generatedName(newDraft, '')).toBe('New Alert');
  expect(generatedName(onQuery, '')).toBe('Rooms: temperature > 30');
  expect(bodyOf(onQuery, '').name).toBe('Rooms: temperature > 30');
  expect(bodyOf({ ...onQuery, name: ' Too hot ' }, '').name).toBe('Too hot');
  expect(generatedName({ ...onQuery, query: { id: 7, name: 'x'.repeat(300) } }, '')).toHaveLength(255);
});

test('an alert on devices is called after its channel', () => {
  expect(generatedName(onDevice, 'Weather')).toBe('Weather: wind > 1');
  expect(generatedName({ ...onDevice, kind: 'silence', silent_seconds: 600 }, 'Weather')).toBe('Weather: silent for 10 minutes');
});

test('it cannot be saved until it says what it watches', () => {
  expect(missingIn(newDraft)).toBe('Select a query first.');
  expect(missingIn({ ...onQuery, column: '' })).toBe('Choose the column to watch.');
  expect(missingIn(onQuery)).toBeNull();
  expect(missingIn({ ...onDevice, channel_id: '' })).toBe('Choose a channel first.');
  expect(missingIn({ ...onDevice, attribute: ' ' })).toBe('Choose the attribute to watch.');
  expect(missingIn({ ...onDevice, kind: 'silence', attribute: '' })).toBeNull();
});

test('each kind sends its own fields, and the server takes them', () => {
  expect(bodyOf(onQuery, '')).toMatchObject({
    query_id: 7,
    rearm: null,
    options: { kind: 'query', column: 'temperature', op: '>', value: 30, selector: 'first', muted: false, custom_body: null },
  });
  const silence = bodyOf({ ...onDevice, kind: 'silence', rearm: 60 }, 'Weather');
  expect(silence).toMatchObject({ query_id: null, rearm: 60, options: { kind: 'silence', channel_id: 'weather', silent_seconds: 600 } });
  expect(silence.options).not.toHaveProperty('attribute');
  for (const body of [bodyOf(onQuery, ''), bodyOf(onDevice, 'Weather'), silence]) expect(NewAlert.safeParse(body).success).toBe(true);
});

test('a template that is switched off is not sent', () => {
  const template = { ...onQuery, custom_subject: 'S', custom_body: 'B' };
  expect(bodyOf(template, '').options).toMatchObject({ custom_subject: null, custom_body: null });
  expect(bodyOf({ ...template, hasTemplate: true }, '').options).toMatchObject({ custom_subject: 'S', custom_body: 'B' });
});

test('the address may say which device is to be watched', () => {
  const draft = draftFrom(new URLSearchParams('kind=device&channel_id=weather&device_id=roof'));
  expect(draft).toMatchObject({ kind: 'device', channel_id: 'weather', device_ids: ['roof'] });
  expect(draftFrom(new URLSearchParams('kind=silence&channel_id=weather'))).toMatchObject({ kind: 'silence', device_ids: [] });
  expect(draftFrom(new URLSearchParams('kind=device'))).toEqual(newDraft);
});
