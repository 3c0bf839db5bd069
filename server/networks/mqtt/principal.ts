import type { Speaker } from '@telltale/domain/uplinks/topics.ts';
import { isSameKey, readDeviceKey } from '../device-key.ts';
import type { ChannelEntry, DeviceDirectory, DeviceEntry } from '../directory.ts';

/** A user who may watch with an API key (iot-behaviour 1.2). */
export interface UserReader {
  id: number;
  mayView: boolean;
  /** The channels that the policy lets the user reach; null is all, also future ones. */
  channel_ids: ReadonlySet<string> | null;
}

export const isInReach = ({ channel_ids }: UserReader, channelId: string): boolean => channel_ids === null || channel_ids.has(channelId);

export type FindUser = (apiKey: string) => Promise<UserReader | undefined>;

/** The authenticated party of a connection. */
export type Principal =
  | { kind: 'device'; device: DeviceEntry; api_key: string; speaker: Speaker }
  | { kind: 'channel'; channel: ChannelEntry; api_key: string; speaker: Speaker }
  | { kind: 'user'; user: UserReader; api_key: string };

/** CONNACK of 3.1.1: 4 for unknown keys, 5 for known keys without permission. */
export type Admission = { principal: Principal } | { returnCode: 4 | 5 };

const unknown: Admission = { returnCode: 4 };
const userName = '$user';

export async function admit(
  directory: DeviceDirectory,
  findUser: FindUser,
  username: string,
  password: string | undefined,
): Promise<Admission> {
  if (username === userName) {
    const user = await findUser(password ?? '');
    if (!user) return unknown;
    return user.mayView ? { principal: { kind: 'user', user, api_key: password ?? '' } } : { returnCode: 5 };
  }
  // Token style: the key alone, as the user name.
  const isToken = !password;
  const api_key = isToken ? username : password;
  const given = readDeviceKey(api_key);
  const holder = given && (await directory.findByLookupId(given.lookup_id));
  if (!given || !holder || !isSameKey(given, holder)) return unknown;
  if (holder.kind === 'device') {
    const { device } = holder;
    if (!isToken && username !== `${device.channel.channel_id}/${device.device_id}`) return unknown;
    if (device.isDisabled) return { returnCode: 5 };
    const { channel_id, thingsboard_topics } = device.channel;
    return { principal: { kind: 'device', device, api_key, speaker: { channel_id, device_id: device.device_id, thingsboard_topics } } };
  }
  const { channel } = holder;
  if (isToken || username !== channel.channel_id) return unknown;
  if (channel.isDisabled) return { returnCode: 5 };
  return {
    principal: {
      kind: 'channel',
      channel,
      api_key,
      speaker: { channel_id: channel.channel_id, device_id: null, thingsboard_topics: false },
    },
  };
}

/** The scope of client ids: two customers with the same client id never disconnect each other. */
export function scopeOf(principal: Principal): string {
  if (principal.kind === 'device') return `d${principal.device.pk}`;
  return principal.kind === 'channel' ? `c${principal.channel.pk}` : `u${principal.user.id}`;
}
