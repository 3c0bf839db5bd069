import * as admin from '@telltale/domain/admin/contract.ts';
import * as alerts from '@telltale/domain/alerts/contract.ts';
import * as alertOptions from '@telltale/domain/alerts/options.ts';
import * as channels from '@telltale/domain/channels/contract.ts';
import * as channelData from '@telltale/domain/channels/data-contract.ts';
import * as command from '@telltale/domain/commands/command.ts';
import * as commands from '@telltale/domain/commands/contract.ts';
import * as delivery from '@telltale/domain/commands/delivery.ts';
import * as commandSchedule from '@telltale/domain/commands/schedule.ts';
import * as dashboards from '@telltale/domain/dashboards/contract.ts';
import * as dashboardOptions from '@telltale/domain/dashboards/options.ts';
import * as widget from '@telltale/domain/dashboards/widget.ts';
import * as dataSources from '@telltale/domain/data-sources/contract.ts';
import * as decoders from '@telltale/domain/decoders/contract.ts';
import * as destinations from '@telltale/domain/destinations/contract.ts';
import { Time } from '@telltale/domain/endpoint.ts';
import * as events from '@telltale/domain/events/contract.ts';
import * as forms from '@telltale/domain/forms/type-schema.ts';
import * as groups from '@telltale/domain/groups/contract.ts';
import * as jobs from '@telltale/domain/jobs/contract.ts';
import * as networks from '@telltale/domain/networks/contract.ts';
import * as clientConfig from '@telltale/domain/organization/client-config.ts';
import * as organization from '@telltale/domain/organization/contract.ts';
import * as settings from '@telltale/domain/organization/settings.ts';
import * as parameters from '@telltale/domain/parameters/contract.ts';
import * as queries from '@telltale/domain/queries/contract.ts';
import * as deviceQuery from '@telltale/domain/queries/device-query.ts';
import * as versions from '@telltale/domain/queries/versions.ts';
import * as snippets from '@telltale/domain/query-snippets/contract.ts';
import * as results from '@telltale/domain/results/contract.ts';
import * as session from '@telltale/domain/session/contract.ts';
import * as tags from '@telltale/domain/tags/contract.ts';
import * as users from '@telltale/domain/users/contract.ts';
import * as visualizations from '@telltale/domain/visualizations/contract.ts';
import { z } from 'zod';

/** Rooms whose shapes have names in the OpenAPI document; the first one that has a name keeps it. */
const rooms: Record<string, object> = {
  Query: queries,
  Dashboard: dashboards,
  Widget: widget,
  Visualization: visualizations,
  Result: results,
  User: users,
  Group: groups,
  Job: jobs,
  Alert: alerts,
  AlertDetail: alertOptions,
  Channel: channels,
  DeviceData: channelData,
  Command: command,
  CommandCall: commands,
  CommandDelivery: delivery,
  CommandSchedule: commandSchedule,
  DashboardDetail: dashboardOptions,
  DataSource: dataSources,
  Decoder: decoders,
  Destination: destinations,
  Event: events,
  Form: forms,
  Network: networks,
  Organization: organization,
  ClientConfig: clientConfig,
  Settings: settings,
  Parameter: parameters,
  DeviceQuery: deviceQuery,
  Version: versions,
  Snippet: snippets,
  Session: session,
  Tag: tags,
  Admin: admin,
};

/** The name under which each shape of the contract is printed. */
export function schemaNames(): Map<z.ZodType, string> {
  // The pattern of a time is long and stands in nearly every answer.
  const names = new Map<z.ZodType, string>([[Time, 'Time']]);
  const taken = new Set<string>(['Time']);
  for (const [room, exported] of Object.entries(rooms)) {
    for (const [name, value] of Object.entries(exported)) {
      if (!(value instanceof z.ZodObject || value instanceof z.ZodUnion) || names.has(value)) continue;
      const free = taken.has(name) ? `${room}${name}` : name;
      taken.add(free);
      names.set(value, free);
    }
  }
  return names;
}
