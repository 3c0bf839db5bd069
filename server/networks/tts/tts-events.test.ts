import { describe, expect, test } from 'vitest';
import { heardAt, ttsIds, ttsUplink } from '../testing/messages.ts';
import { readTts } from './tts-events.ts';

const micros = (iso: string) => Date.parse(iso) * 1000;
const uplink = (more: Record<string, unknown>) => {
  const [event] = readTts(ttsUplink(more));
  if (event?.kind !== 'uplink') throw new Error('not an uplink');
  return event;
};

describe('iot-behaviour 2.5: uplinks of The Things Stack', () => {
  test('Every field is read; the best gateway has the highest snr', () => {
    expect(uplink({})).toMatchObject({
      source: 'tts',
      end_device: { device_id: 'roof-1', dev_eui: '0004a30b001c0530', application_id: 'weather-app', name: null },
      at: micros(heardAt(110)),
      fport: 2,
      fcnt: 118,
      session: 'AYfg8rhha5n+FWx0ZaAprA==',
      message_id: 'tts/AYfg8rhha5n+FWx0ZaAprA==/118/2',
      confirmed: true,
      bytes: Buffer.from([0x08, 0x34]),
      object: { temperature: 21, air: { humidity: 52 } },
      warnings: ['the sensor is warming up'],
      radio: {
        rssi: -60,
        snr: 9.5,
        sf: 7,
        bw: 125_000,
        frequency: 868_300_000,
        gateway: 'gtw-near',
        gateways: 3,
        airtime_ms: 56.576,
        dr: null,
      },
      per: 0.25,
      battery: 81.5,
      more: { join_eui: '800000000000000c', dev_addr: '260B1234', coding_rate: '4/5', tags: { floor: 'roof' } },
    });
    expect(uplink({}).heard_by).toHaveLength(3);
    expect(uplink({}).heard_by[0]).toEqual({
      gateway_id: 'gtw-far',
      rssi: -97,
      snr: 7.2,
      latitude: 52.5,
      longitude: 13.4,
      eui: '9c5c8e00001a05c4',
      channel_rssi: -97,
      channel_index: 2,
      altitude: 30,
    });
    expect(uplink({}).heard_by[2]).toEqual({ gateway_id: 'gtw-third', rssi: -60, snr: 7.2, latitude: null, longitude: null });
  });

  test('What proto3 leaves out is zero: port, counter, and no gateways at all', () => {
    const read = uplink({ f_port: undefined, f_cnt: undefined, rx_metadata: undefined, settings: undefined, frm_payload: undefined });
    expect(read).toMatchObject({ fport: 0, fcnt: 0, bytes: Buffer.alloc(0), heard_by: [] });
    expect(read.radio).toMatchObject({ rssi: null, snr: null, sf: null, gateway: null, gateways: 0 });
    expect(read.at).toBe(micros(heardAt(120)));
  });

  test('Null facts are absent ones', () => {
    const nulls = [
      'decoded_payload',
      'rx_metadata',
      'settings',
      'consumed_airtime',
      'packet_error_rate',
      'last_battery_percentage',
      'attributes',
    ];
    const read = uplink(Object.fromEntries(nulls.map((name) => [name, null])));
    expect(read).toMatchObject({ object: null, per: null, battery: null });
  });

  test('A time set by satellites wins over the clock of the best gateway', () => {
    const rx_metadata = [
      { gateway_ids: { gateway_id: 'a' }, snr: 1, gps_time: heardAt(5), time: heardAt(900) },
      { gateway_ids: { gateway_id: 'b' }, snr: 9, time: heardAt(7) },
    ];
    expect(uplink({ rx_metadata }).at).toBe(micros(heardAt(5)));
  });

  test('Equal snr: the stronger signal is the better gateway', () => {
    const rx_metadata = [
      { gateway_ids: { gateway_id: 'weak' }, snr: 5, rssi: -110 },
      { gateway_ids: { gateway_id: 'strong' }, snr: 5, channel_rssi: -80 },
    ];
    expect(uplink({ rx_metadata }).radio).toMatchObject({ gateway: 'strong', rssi: -80 });
  });

  test('Airtime is computed where the network does not tell it', () => {
    expect(uplink({ consumed_airtime: undefined, frm_payload: Buffer.alloc(8).toString('base64') }).radio.airtime_ms).toBe(56.576);
    const older = { data_rate: { lora: { bandwidth: 125_000, spreading_factor: 12 } }, coding_rate: '4/8', frequency: '868100000' };
    expect(uplink({ consumed_airtime: undefined, settings: older }).more.coding_rate).toBe('4/8');
  });

  test('FSK and LR-FHSS have no spreading factor', () => {
    expect(uplink({ settings: { data_rate: { fsk: { bit_rate: 50_000 } }, frequency: '868800000' } })).toMatchObject({
      radio: { sf: null, bw: null },
      more: { fsk: { bit_rate: 50_000 } },
    });
    expect(uplink({ settings: { data_rate: { lrfhss: { modulation_type: 0 } } } }).more).toHaveProperty('lr_fhss');
  });

  test('A simulated uplink says so', () => {
    expect(readTts({ ...ttsUplink(), simulated: true })[0]?.source).toBe('simulated');
  });
});

describe('iot-behaviour 2.8: what becomes of downlinks', () => {
  const of = (member: string, value: unknown, more = {}) =>
    readTts({ end_device_ids: ttsIds(), received_at: heardAt(0), ...more, [member]: value })[0];
  const downlink = { f_port: 15, f_cnt: 7, frm_payload: 'vu8=', correlation_ids: ['as:downlink:01H', 'cmd:01JH0000000000000000000000'] };

  test.each([
    ['downlink_queued', 'queued', 'queued'],
    ['downlink_sent', 'sent', 'sent'],
    ['downlink_ack', 'ack', 'acknowledged'],
    ['downlink_nack', 'nack', 'nacked'],
  ])('%s is known by our correlation id', (member, event, state) => {
    expect(of(member, downlink)).toMatchObject({ kind: 'downlink', event, state, attempt_id: '01JH0000000000000000000000', fcnt: 7 });
  });

  test('A nack says whether the network tries again', () => {
    const nack = (attempt: number) => of('downlink_nack', { ...downlink, confirmed_retry: { attempt, max_attempts: 3 } });
    expect([nack(1), nack(3)]).toMatchObject([{ will_repeat: true }, { will_repeat: false }]);
  });

  test('A failed one tells the reason', () => {
    const error = {
      namespace: 'pkg/networkserver',
      name: 'application_downlink_too_long',
      message_format: 'application downlink payload too long',
    };
    expect(of('downlink_failed', { downlink, error })).toMatchObject({
      state: 'failed',
      attempt_id: '01JH0000000000000000000000',
      reason: 'application_downlink_too_long: application downlink payload too long',
    });
  });

  test('An invalidated queue is queued again, item by item', () => {
    expect(of('downlink_queue_invalidated', { downlinks: [downlink], last_f_cnt_down: 41 })).toMatchObject({
      state: 'requeued',
      attempt_id: '01JH0000000000000000000000',
      fcnt: 41,
    });
  });

  test('A downlink of somebody else has no id of ours', () => {
    expect(of('downlink_sent', { f_port: 1, correlation_ids: ['other'] })).toMatchObject({ attempt_id: null });
  });
});

test('iot-behaviour 2.5: join, location, service data, normalized payloads and what nobody knows', () => {
  const of = (more: object) => readTts({ end_device_ids: ttsIds(), received_at: heardAt(0), ...more });
  const join_accept = { session_key_id: 'AQ==', received_at: heardAt(3), invalidated_downlinks: [{ correlation_ids: ['cmd:01X'] }] };
  expect(of({ join_accept })).toMatchObject([
    { kind: 'join', key: 'join/AQ==', session: 'AQ==', at: micros(heardAt(3)) },
    { kind: 'downlink', state: 'requeued', attempt_id: '01X' },
  ]);
  const location_solved = { service: 'gls', location: { latitude: 52.5, longitude: 13.4 } };
  expect(of({ location_solved })).toMatchObject([{ kind: 'location', position: { latitude: 52.5, longitude: 13.4 } }]);
  expect(of({ service_data: { service: 'x' } })).toMatchObject([{ kind: 'other', event: 'service' }]);
  expect(of({ uplink_normalized: {} })).toMatchObject([{ kind: 'other', event: 'normalized' }]);
  expect(of({ something_new: {} })).toMatchObject([{ kind: 'other', event: 'other' }]);
});

test.each([[{}], [{ end_device_ids: 7 }], [{ uplink_message: {} }]])('Unreadable: %j', (body) => {
  expect(() => readTts(body)).toThrow('names no end device');
});

test('Unreadable: a payload that is not base64', () => {
  expect(() => readTts(ttsUplink({ frm_payload: '*' }))).toThrow('not base64');
});
