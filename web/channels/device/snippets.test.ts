import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { brokerOf, snippetsOf } from './snippets.ts';

const device = {
  channel_id: 'weather',
  device_id: 'roof-1',
  api_key: 'K'.repeat(40),
  publish_topic: 'v1/weather/devices/roof-1/up',
  subscribe_topic: 'v1/weather/devices/roof-1/down',
  mqtt_address: 'mqtt://127.0.0.1:1883',
  mqtt_tls_address: null,
};

test.each([
  ['mqtt://127.0.0.1:1883', null, { host: 'console.example', port: 1883, isTls: false }],
  ['mqtt://0.0.0.0:1883', null, { host: 'console.example', port: 1883, isTls: false }],
  ['mqtt://broker.example:2000', null, { host: 'broker.example', port: 2000, isTls: false }],
  ['mqtt://x:1883', 'mqtts://x:8883', { host: 'x', port: 8883, isTls: true }],
  ['mqtt://[fd00::1]:1883', null, { host: 'fd00::1', port: 1883, isTls: false }],
  [null, null, null],
])('a broker at %s and %s', (mqtt_address, mqtt_tls_address, broker) => {
  expect(brokerOf({ mqtt_address, mqtt_tls_address }, 'console.example')).toEqual(broker);
});

test('iot-behaviour 1.7: snippets publish with QoS 1, as the device, to its own topic', () => {
  const [mosquitto, python, arduino] = snippetsOf(device, { host: 'h', port: 1, isTls: false });
  for (const snippet of [mosquitto, python, arduino]) {
    expect(snippet?.publish).toContain(device.publish_topic);
    expect(snippet?.publish).toContain(device.api_key);
    expect(snippet?.publish).toContain('weather/roof-1');
    expect(snippet?.subscribe).toContain(device.subscribe_topic);
  }
  expect(mosquitto?.publish).toContain('-q 1');
});

test('a shell reads the snippet as one command', () => {
  const [mosquitto] = snippetsOf(device, { host: 'h', port: 1, isTls: true });
  const said = execFileSync('sh', ['-c', `mosquitto_pub() { for word in "$@"; do echo "$word"; done; }\n${mosquitto?.publish}`]).toString();
  expect(said.trim().split('\n').join(' ')).toBe(
    `-h h -p 1 --tls-use-os-certs -q 1 -u weather/roof-1 -P ${device.api_key} -t ${device.publish_topic} -m {"temperature": 21.5}`,
  );
});

test('who may not see the key gets a place for it', () => {
  const [mosquitto] = snippetsOf({ ...device, api_key: '--------' }, { host: 'h', port: 1, isTls: false });
  expect(mosquitto?.publish).toContain('YOUR_API_KEY');
});
