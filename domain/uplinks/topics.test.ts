import { describe, expect, test } from 'vitest';
import { mayHear, narrowFilter, readTopic, type Speaker } from './topics.ts';

const device: Speaker = { channel_id: 'weather', device_id: 'roof-1', thingsboard_topics: false };
const gateway: Speaker = { ...device, device_id: null };
const own = 'v1/weather/devices/roof-1';

describe('iot-behaviour 1.3: topics', () => {
  test.each([
    [`${own}/up`, { kind: 'up', format: 'auto', fport: null }],
    [`${own}/up/json`, { kind: 'up', format: 'json' }],
    [`${own}/up/senml`, { kind: 'up', format: 'senml' }],
    [`${own}/up/lpp`, { kind: 'up', format: 'lpp' }],
    [`${own}/up/raw/223`, { kind: 'up', format: 'raw', fport: 223 }],
    [`${own}/state`, { kind: 'state' }],
    [`${own}/ack`, { kind: 'ack' }],
    ['v1/me/up', { kind: 'up', channel_id: 'weather', device_id: 'roof-1' }],
    ['v1/me/up/raw/1', { kind: 'up', fport: 1, device_id: 'roof-1' }],
    ['v1/other/devices/x/up', { kind: 'up', channel_id: 'other', device_id: 'x' }],
  ])('%s', (topic, meaning) => expect(readTopic(topic, device)).toMatchObject(meaning));

  test.each([
    '',
    'v1',
    own,
    `${own}/`,
    `${own}/up/`,
    `${own}/up/xml`,
    `${own}/up/raw`,
    `${own}/up/raw/0`,
    `${own}/up/raw/224`,
    `${own}/up/raw/1e1`,
    `${own}/down/x`,
    'v1//devices/x/up',
    'v2/weather/devices/roof-1/up',
    '$SYS/x',
    `v1/${'x/'.repeat(1000)}up`,
    `v1/${'ä'.repeat(200)}/devices/x/up`,
    'v1/devices/me/telemetry',
  ])('%.60s means nothing', (topic) => expect(readTopic(topic, device)).toBeUndefined());

  test('ThingsBoard firmware is understood where its channel says so', () => {
    const speaker = { ...device, thingsboard_topics: true };
    expect(readTopic('v1/devices/me/telemetry', speaker)).toMatchObject({ kind: 'up', device_id: 'roof-1' });
    expect(readTopic('v1/devices/me/attributes', speaker)).toMatchObject({ kind: 'state' });
    expect(readTopic('v1/devices/me/rpc', speaker)).toBeUndefined();
  });

  test('a gateway is no device: it has no own topics', () => expect(readTopic('v1/me/up', gateway)).toBeUndefined());
});

describe('iot-behaviour 1.4: subscriptions', () => {
  test.each([
    ['#', `${own}/#`],
    ['v1/#', `${own}/#`],
    ['v1/weather/#', `${own}/#`],
    [`${own}/#`, `${own}/#`],
    [`${own}/down`, `${own}/down`],
    [`${own}/error`, `${own}/error`],
    ['v1/me/down', `${own}/down`],
    ['v1/weather/devices/+/down', `${own}/down`],
    [`${own}/+`, `${own}/+`],
    [`${own}/up`, null],
    ['v1/weather/devices/other/down', null],
    ['v1/other/#', null],
    ['v1/other/devices/roof-1/down', null],
    ['+/+/+/+/down', null],
    ['$SYS/#', null],
    ['v1/+', null],
  ])('a device that asks for %s gets %s', (filter, granted) => expect(narrowFilter(filter, device)).toBe(granted));

  test.each([
    ['#', 'v1/weather/devices/#'],
    ['v1/weather/devices/+/down', 'v1/weather/devices/+/down'],
    ['v1/weather/devices/x/error', 'v1/weather/devices/x/error'],
    ['v1/weather/devices/x/config', null],
    ['v1/weather/devices/x/up', null],
    ['v1/other/devices/+/down', null],
  ])('a gateway that asks for %s gets %s', (filter, granted) => expect(narrowFilter(filter, gateway)).toBe(granted));

  test.each([
    [`${own}/down`, true, true],
    [`${own}/error`, true, true],
    [`${own}/config`, true, false],
    [`${own}/up`, false, false],
    [`${own}/state`, false, false],
    ['v1/weather/devices/other/down', false, true],
    ['v1/other/devices/roof-1/down', false, false],
    ['$SYS/x', false, false],
  ])('%s is forwarded to the device: %s, to the gateway: %s', (topic, toDevice, toGateway) => {
    expect([mayHear(topic, device), mayHear(topic, gateway)]).toEqual([toDevice, toGateway]);
  });
});
