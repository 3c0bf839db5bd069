import { subscribeTopic } from '@telltale/domain/uplinks/topics.ts';
import { downlinkMessage } from '../downlink-message.ts';
import type { DownlinkCarrier } from '../downlinks.ts';
import type { ExternalBroker } from './external-broker.ts';

/** Commands through an external broker: `sent` means that the broker has the command, because delivery to the device is not reported. */
export const externalBrokerCarrier = (broker: ExternalBroker): DownlinkCarrier => ({
  kinds: ['mqtt', 'http'],
  reaches: (device) => device.channel.kind === 'mqtt' && broker.connections > 0,
  async send({ channel, device_id }, downlink) {
    try {
      await broker.publish(subscribeTopic(channel.channel_id, device_id), JSON.stringify(downlinkMessage(downlink)), 1);
      return { status: 'sent' };
    } catch (error) {
      return { status: 'later', reason: (error as Error).message };
    }
  },
  onReachable: (listener) => broker.onConnected(() => listener('all')),
});
