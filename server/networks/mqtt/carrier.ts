import { downlinkMessage } from '../downlink-message.ts';
import type { DownlinkCarrier } from '../downlinks.ts';
import type { MqttBroker } from './broker.ts';

/** A client of MQTT 5 that has as many messages as it takes at a time is tried again. */
const fullMs = 1000;

/** iot-behaviour 3.3: commands to devices that are connected to this broker. */
export const mqttCarrier = (broker: MqttBroker): DownlinkCarrier => ({
  kinds: ['mqtt', 'http'],
  reaches: (device) => broker.isListening(device),
  async send(device, downlink) {
    const handed = await broker.hand(device, JSON.stringify(downlinkMessage(downlink)), downlink.expires);
    if (handed === 'sent') return { status: 'sent' };
    if (handed === 'full') return { status: 'later', reason: 'receive_maximum', afterMs: fullMs };
    if (handed === 'too_large') return { status: 'failed', reason: 'packet_too_large' };
    return { status: 'later', reason: handed === 'silent' ? 'no_answer' : 'device_offline' };
  },
  onReachable: (listener) => broker.onListening(listener),
});
