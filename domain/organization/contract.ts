import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { OrganizationSettings } from './settings.ts';

export const ObjectCounters = z.object({
  users: z.int(),
  alerts: z.int(),
  data_sources: z.int(),
  queries: z.int(),
  dashboards: z.int(),
});
export type ObjectCounters = z.infer<typeof ObjectCounters>;
export type CountedObject = keyof ObjectCounters;

/** A3: the consent is null until an administrator has answered. */
const SettingsReply = z.object({
  settings: OrganizationSettings,
  /** Settings that the server's environment has set: they cannot be changed here. */
  locked: z.array(z.string()),
});
export type SettingsReply = z.output<typeof SettingsReply>;

/** Changes only the sent keys; null puts a key back to its default; unknown keys are refused. */
const nullable = Object.fromEntries(
  Object.entries(OrganizationSettings.shape).map(([name, schema]) => [name, schema.unwrap().nullable().optional()]),
);
export const SettingsChanges = z.strictObject(nullable) as z.ZodType<
  { [K in keyof OrganizationSettings]?: OrganizationSettings[K] | null },
  { [K in keyof OrganizationSettings]?: OrganizationSettings[K] | null }
>;
export type SettingsChanges = z.output<typeof SettingsChanges>;

export const organizationApi = {
  status: endpoint('GET', '/api/organization/status', {
    needs: 'signed_in',
    reply: z.object({ object_counters: ObjectCounters }),
    summary: 'How many objects of each kind the caller can reach.',
  }),
  settings: endpoint('GET', '/api/settings/organization', {
    needs: 'admin',
    reply: SettingsReply,
    summary: 'Settings of the organisation.',
  }),
  saveSettings: endpoint('POST', '/api/settings/organization', {
    needs: 'admin',
    body: SettingsChanges,
    reply: SettingsReply,
    summary: 'Changes the sent settings, in effect at once.',
  }),
};
