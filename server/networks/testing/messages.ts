/** Messages in the shape that networks publish them; every field that is read occurs in one of them. */

type Json = Record<string, unknown>;

/** Times of test messages begin a minute before now. */
const start = Math.floor(Date.now() / 1000) * 1000 - 60_000;
export const heardAt = (ms: number) => new Date(start + ms).toISOString();

export const ttsIds = (device_id = 'roof-1', dev_eui = '0004A30B001C0530') => ({
  device_id,
  application_ids: { application_id: 'weather-app' },
  dev_eui,
  join_eui: '800000000000000C',
  dev_addr: '260B1234',
});

export const ttsUplink = (more: Json = {}, ids: Json = ttsIds()) => ({
  end_device_ids: ids,
  correlation_ids: ['as:up:01H', 'gs:conn:01H'],
  received_at: heardAt(321),
  uplink_message: {
    session_key_id: 'AYfg8rhha5n+FWx0ZaAprA==',
    f_port: 2,
    f_cnt: 118,
    frm_payload: 'CDQ=',
    decoded_payload: { temperature: 21, air: { humidity: 52 } },
    decoded_payload_warnings: ['the sensor is warming up'],
    rx_metadata: [
      {
        gateway_ids: { gateway_id: 'gtw-far', eui: '9C5C8E00001A05C4' },
        time: heardAt(100),
        timestamp: 2_463_457_000,
        rssi: -97,
        channel_rssi: -97,
        snr: 7.2,
        uplink_token: 'ChIKEA==',
        channel_index: 2,
        location: { latitude: 52.5, longitude: 13.4, altitude: 30, source: 'SOURCE_REGISTRY' },
      },
      { gateway_ids: { gateway_id: 'gtw-near' }, time: heardAt(110), rssi: -60, channel_rssi: -60, snr: 9.5 },
      { gateway_ids: { gateway_id: 'gtw-third' }, rssi: -60, snr: 7.2 },
    ],
    settings: {
      data_rate: { lora: { bandwidth: 125_000, spreading_factor: 7, coding_rate: '4/5' } },
      frequency: '868300000',
      timestamp: 2_463_457_000,
      time: heardAt(100),
    },
    received_at: heardAt(120),
    confirmed: true,
    consumed_airtime: '0.056576s',
    packet_error_rate: 0.25,
    last_battery_percentage: { value: 81.5, received_at: heardAt(-60_000) },
    network_ids: { net_id: '000013', ns_id: 'EC656E0000000181', tenant_id: 'ttn', cluster_id: 'eu1' },
    attributes: { floor: 'roof' },
    ...more,
  },
});

export const applicationId = '52f14cd4-c6f1-4fbd-8f87-4025e1d49242';

export const chirpStackInfo = (devEui = '0101010101010101') => ({
  tenantId: '52f14cd4-c6f1-4fbd-8f87-4025e1d49241',
  tenantName: 'ChirpStack',
  applicationId,
  applicationName: 'Weather',
  deviceProfileId: '14855bf7-d10d-4aee-b618-ebfcb64dc7ad',
  deviceProfileName: 'Class A',
  deviceName: 'Roof sensor',
  devEui,
  tags: { floor: 'roof' },
});

export const chirpStackUplink = (more: Json = {}, devEui?: string) => ({
  deduplicationId: '3ac7e3c4-4401-4b8d-9386-a5c902f9202d',
  time: heardAt(433),
  deviceInfo: chirpStackInfo(devEui),
  devAddr: '00189440',
  adr: true,
  dr: 5,
  fCnt: 12,
  fPort: 2,
  confirmed: true,
  data: 'qg==',
  object: { temperature: 21.5, led: true },
  rxInfo: [
    {
      gatewayId: '0016c001f153a14c',
      uplinkId: 4_217_106_255,
      gwTime: heardAt(400),
      nsTime: heardAt(430),
      rssi: -36,
      snr: 10.5,
      channel: 5,
      location: { latitude: 52.37, longitude: 4.91, altitude: 8 },
      context: 'E3OWOQ==',
      crcStatus: 'CRC_OK',
    },
    { gatewayId: '0016c001f153a14d', uplinkId: 12, rssi: -110, snr: -3, crcStatus: 'CRC_OK' },
  ],
  txInfo: { frequency: 868_300_000, modulation: { lora: { bandwidth: 125_000, spreadingFactor: 7, codeRate: 'CR_4_5' } } },
  ...more,
});
