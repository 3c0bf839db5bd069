import { z } from 'zod';
import { endpoint, Time } from '../endpoint.ts';
import { AttributeDisplay, DisplayChanges } from './attribute-display.ts';

/** An attribute that devices of a channel have reported, and how its readings are shown. */
export const ChannelAttribute = z.object({
  attribute: z.string(),
  /** iot-behaviour 1.5: number, boolean, text or JSON; null before the first reading. */
  kind: z.string().nullable(),
  /** What the devices themselves say; the unit of `display` wins over it. */
  reported_unit: z.string().nullable(),
  display: AttributeDisplay,
  last_seen_at: Time,
});
export type ChannelAttribute = z.infer<typeof ChannelAttribute>;

/** Sent keys change, the others stay. */
export const AttributeChanges = DisplayChanges.extend({
  attribute: z.string('Attribute is required.').min(1, 'Attribute is required.').max(128, 'Attribute is too long.'),
});
export type AttributeChanges = z.output<typeof AttributeChanges>;

const ByChannel = z.object({ id: z.string().min(1).max(64) });

export const attributesApi = {
  list: endpoint('GET', '/api/channels/:id/attributes', {
    needs: 'view_channel',
    params: ByChannel,
    reply: z.array(ChannelAttribute),
    summary: 'Attributes that devices of a channel have reported, and their units, decimals and thresholds.',
  }),
  save: endpoint('POST', '/api/channels/:id/attributes', {
    needs: 'manage_channel',
    params: ByChannel,
    body: AttributeChanges,
    reply: ChannelAttribute,
    summary: 'Changes unit, decimals or thresholds of one attribute of a channel.',
  }),
};
