import { type ChannelKind, isLorawan } from './contract.ts';

/** design 8: LoRaWAN channels have pages of their own. */
export const channelsAddress = (kind: ChannelKind) => (isLorawan(kind) ? '/console/channels' : '/mqtt');
export const channelAddress = (channelId: string, kind: ChannelKind) => `${channelsAddress(kind)}/${encodeURIComponent(channelId)}`;
/** The address of a device; where the kind is not known, the page corrects its own address. */
export const deviceAddress = (channelId: string, deviceId: string, kind: ChannelKind = 'mqtt') =>
  `${channelAddress(channelId, kind)}/devices/${encodeURIComponent(deviceId)}`;
