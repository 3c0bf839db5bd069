import { describe, expect, test } from 'vitest';
import { chirpStackInfo, chirpStackUplink, heardAt } from '../testing/messages.ts';
import { chirpstack } from './chirpstack.ts';
import { readChirpStack } from './chirpstack-events.ts';

const micros = (iso: string) => Date.parse(iso) * 1000;
const uplink = (more: Record<string, unknown>) => {
  const [event] = readChirpStack('up', chirpStackUplink(more));
  if (event?.kind !== 'uplink') throw new Error('not an uplink');
  return event;
};
const told = (event: string, more: object) =>
  readChirpStack(event, { deviceInfo: chirpStackInfo(), time: heardAt(0), deduplicationId: 'd-1', ...more })[0];

describe('iot-behaviour 2.5: uplinks of ChirpStack', () => {
  test('Every field is read', () => {
    expect(uplink({})).toMatchObject({
      source: 'chirpstack',
      end_device: { device_id: null, dev_eui: '0101010101010101', name: 'Roof sensor', application_id: chirpStackInfo().applicationId },
      at: micros(heardAt(400)),
      fport: 2,
      fcnt: 12,
      session: '00189440',
      message_id: '3ac7e3c4-4401-4b8d-9386-a5c902f9202d',
      confirmed: true,
      bytes: Buffer.from([0xaa]),
      object: { temperature: 21.5, led: true },
      radio: {
        rssi: -36,
        snr: 10.5,
        sf: 7,
        bw: 125_000,
        frequency: 868_300_000,
        gateway: '0016c001f153a14c',
        gateways: 2,
        airtime_ms: 46.336,
        dr: 5,
      },
      more: { dev_addr: '00189440', adr: true, coding_rate: 'CR_4_5', tags: { floor: 'roof' }, received_by_network: heardAt(430) },
    });
    expect(uplink({}).heard_by).toEqual([
      { gateway_id: '0016c001f153a14c', rssi: -36, snr: 10.5, latitude: 52.37, longitude: 4.91, channel_index: 5, altitude: 8 },
      { gateway_id: '0016c001f153a14d', rssi: -110, snr: -3, latitude: null, longitude: null },
    ]);
  });

  test('What the mapping omits is its default', () => {
    const absent = {
      dr: undefined,
      fCnt: undefined,
      fPort: undefined,
      confirmed: undefined,
      adr: undefined,
      data: undefined,
      object: undefined,
    };
    const read = uplink({ ...absent, rxInfo: [{ gatewayId: 'a', rssi: -90 }] });
    expect(read).toMatchObject({ fport: 0, fcnt: 0, confirmed: false, bytes: Buffer.alloc(0), object: null, more: { adr: false } });
    expect(read.radio).toMatchObject({ dr: 0, snr: 0, rssi: -90 });
    expect(read.at).toBe(micros(heardAt(433)));
  });

  test('No gateway, no modulation, null objects', () => {
    const read = uplink({ rxInfo: null, txInfo: null, object: null });
    expect(read).toMatchObject({ heard_by: [], object: null });
    expect(read.radio).toMatchObject({ rssi: null, sf: null, bw: null, airtime_ms: null });
  });
});

describe('iot-behaviour 2.5 and 2.8: other events', () => {
  test('A join begins a session', () => {
    expect(told('join', { devAddr: '00189440' })).toMatchObject({ kind: 'join', key: 'join/d-1', session: '00189440' });
  });

  test.each([
    [
      { margin: 8, batteryLevel: 75.5 },
      { margin: 8, battery: 75.5, message: 'Margin 8 dB, battery 75.5 %' },
    ],
    [
      { margin: -3, externalPowerSource: true },
      { margin: -3, battery: null, message: 'Margin -3 dB, external power' },
    ],
    [{ batteryLevelUnavailable: true }, { margin: 0, battery: null, message: 'Margin 0 dB' }],
  ])('Status %j', (body, expected) => {
    expect(told('status', body)).toMatchObject({ kind: 'status', ...expected });
  });

  test('A missing acknowledged means false', () => {
    const queueItemId = '018d4b1c-0000-7000-8000-000000000001';
    expect(told('ack', { queueItemId, acknowledged: true, fCntDown: 4 })).toMatchObject({
      state: 'acknowledged',
      attempt_id: queueItemId,
      fcnt: 4,
    });
    expect(told('ack', { queueItemId })).toMatchObject({ state: 'nacked' });
    expect(told('txack', { queueItemId, gatewayId: 'a' })).toMatchObject({ state: 'sent', event: 'txack' });
  });

  test.each(['DOWNLINK_PAYLOAD_SIZE', 'DOWNLINK_CODEC', 'DOWNLINK_GATEWAY', 'EXPIRED', 'F_CNT_DOWN'])(
    'The log code %s fails its command',
    (code) => {
      expect(told('log', { level: 'ERROR', code, description: 'why', context: { queue_item_id: 'q-1' } })).toMatchObject({
        kind: 'downlink',
        state: 'failed',
        attempt_id: 'q-1',
        reason: `${code}: why`,
      });
    },
  );

  test.each(['UPLINK_CODEC', 'UPLINK_MIC', 'UPLINK_F_CNT_RESET', 'UPLINK_F_CNT_RETRANSMISSION', 'OTAA'])(
    'The log code %s is a warning, whichever level it has',
    (code) => {
      for (const level of [undefined, 'INFO', 'WARNING', 'ERROR'])
        expect(told('log', { level, code, description: 'why' })).toMatchObject({ kind: 'log', level: 'warning', message: `${code}: why` });
    },
  );

  test.each([
    ['INFO', 'info'],
    ['WARNING', 'warning'],
    ['ERROR', 'error'],
  ])('Another log keeps its level %s', (level, shown) => {
    expect(told('log', { level, code: 'RELAY_NEW_END_DEVICE' })).toMatchObject({ kind: 'log', level: shown });
  });

  test('A location, an integration event, and what nobody knows', () => {
    expect(told('location', { location: { latitude: 1, longitude: 2 } })).toMatchObject({
      kind: 'location',
      position: { latitude: 1, longitude: 2 },
    });
    expect(told('integration', { integrationName: 'x' })).toMatchObject({ kind: 'other', event: 'integration' });
  });
});

describe('iot-behaviour 2.3: what cannot be read', () => {
  const read = (topic: string | null, event: string | null, body: Buffer | string) =>
    chirpstack.read({ topic, event, body: Buffer.from(body) }, {});
  test('Protobuf is named as such', () => {
    expect(() => read('application/a/device/b/event/up', null, Buffer.from([0x0a, 0x24, 0x33]))).toThrow('Set its marshaler to JSON');
  });
  test.each([
    ['application/a/device/b/event/up', null, '{', 'not JSON'],
    [null, null, '{}', 'which event'],
    [null, 'up', '{}', 'names no device'],
    [null, 'up', '[]', 'Protobuf'],
  ])('%s %s %s', (topic, event, body, reason) => {
    expect(() => read(topic, event, body)).toThrow(reason);
  });
});
