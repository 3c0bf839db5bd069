import { number } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { defineNetwork } from '../network.ts';
import { ClassANetwork } from './class-a-network.ts';
import { encodeCommand } from './codec.ts';

const options = z.object({
  devices: number('Devices', 3, { min: 1, max: 100, multipleOf: 1 }),
  interval_seconds: number('Seconds Between Uplinks', 60, { min: 1, max: 86_400, multipleOf: 1 }),
  loss_percent: number('Lost Frames in Percent', 2, { min: 0, max: 100, info: 'Of uplinks and of downlinks.' }),
  speed: number('Speed of the Clock', 1, { min: 1, max: 3600, info: '60 makes an hour pass in a minute.' }),
  gateways: number('Gateways', 2, { min: 1, max: 5, multipleOf: 1 }),
});

/** Virtual class A devices behind a network server of our own: for a first look, and for tests. */
export const simulated = defineNetwork({
  type: 'simulated',
  name: 'Simulated network',
  options,
  read: () => [],
  run: (given, env) => new ClassANetwork(given, env),
  downlink(_options, { device_id }, { attempt_id, mode, confirm, fport, payload, network_attempts }) {
    const isTheirs = payload.encoding === 'json' && !payload.isEncoded;
    const encoded = isTheirs ? encodeCommand(payload.value) : { fport, bytes: payload.bytes };
    if (!encoded) return 'The simulated sensors understand {"led": true or false} and {"interval": seconds}.';
    const item = { attempt_id, device_id: device_id ?? '', ...encoded, confirmed: confirm, most_attempts: Math.max(1, network_attempts) };
    return [{ via: 'queue', mode, item }];
  },
  clear: () => [{ via: 'queue', mode: 'replace', item: null }],
});
