import { attemptId } from '@telltale/domain/commands/progress.ts';
import type { DeviceEntry } from '../networks/directory.ts';
import type { Downlink } from '../networks/downlinks.ts';
import type { Head } from './queue.store.ts';

/** Converts a claimed delivery into the downlink that a network sends. */
export function downlinkOf(head: Head): Downlink {
  const { bytes, encoding, object, is_encoded } = head;
  const attempt = head.attempt + 1;
  return {
    attempt_id: attemptId(head.wire_id, attempt),
    attempt,
    command: head.command_name,
    fport: head.fport,
    // iot-behaviour 3.5.6: a retry must not delete commands that were sent meanwhile.
    mode: attempt === 1 ? head.mode : 'push',
    confirm: head.confirm,
    payload: encoding === 'json' ? { encoding, value: object ?? {}, bytes, isEncoded: is_encoded } : { encoding, bytes },
    network_attempts: Math.max(1, head.max_attempts - 1),
    created: Math.round(head.created),
    expires: Math.round(head.expires),
  };
}

/** Converts a delivery to the device entry that networks use. Fields that only matter for uplinks keep their defaults. */
export const deviceOf = (
  head: Pick<Head, 'device_pk' | 'device_id' | 'device_name' | 'dev_eui' | 'channel_pk' | 'channel_id' | 'channel_name' | 'kind'>,
): DeviceEntry => ({
  pk: head.device_pk,
  device_id: head.device_id,
  device_name: head.device_name,
  dev_eui: head.dev_eui,
  isDisabled: false,
  variables: {},
  channel: {
    pk: head.channel_pk,
    channel_id: head.channel_id,
    channel_name: head.channel_name,
    kind: head.kind,
    isDisabled: false,
    auto_create: false,
    thingsboard_topics: false,
    ack_points: false,
    network_id: null,
    application_id: null,
    metadata: 'basic',
  },
});
