import type { GrantedPermission } from './useGroups.ts';

interface PermissionText {
  name: GrantedPermission;
  title: string;
  /** The actions that it permits. */
  text: string;
}

/** The permissions of a group, by area of the product. */
export const permissionTexts: readonly { area: string; permissions: readonly PermissionText[] }[] = [
  {
    area: 'Queries',
    permissions: [
      { name: 'view_query', title: 'View queries', text: 'Open saved queries and see their results.' },
      { name: 'view_source', title: 'View source', text: 'See the text of a query, not only its results.' },
      { name: 'execute_query', title: 'Run queries', text: 'Run a query to get fresh results.' },
      { name: 'create_query', title: 'Create queries', text: 'Write new queries and query snippets.' },
      { name: 'edit_query', title: 'Edit queries', text: 'Change, fork and delete queries you can edit.' },
      { name: 'schedule_query', title: 'Schedule queries', text: 'Let a query run by itself at set times.' },
      { name: 'list_data_sources', title: 'List data sources', text: 'See which data sources there are.' },
    ],
  },
  {
    area: 'Dashboards and alerts',
    permissions: [
      { name: 'list_dashboards', title: 'View dashboards', text: 'See the list of dashboards and open them.' },
      { name: 'create_dashboard', title: 'Create dashboards', text: 'Make new dashboards.' },
      { name: 'edit_dashboard', title: 'Edit dashboards', text: 'Change dashboards you can edit.' },
      { name: 'list_alerts', title: 'Use alerts', text: 'See alerts and create new ones.' },
    ],
  },
  {
    area: 'Devices',
    permissions: [
      { name: 'view_channel', title: 'View channels', text: 'See channels and devices and query their data.' },
      { name: 'manage_channel', title: 'Manage channels', text: 'Add, change and delete channels and devices, and see their keys.' },
      { name: 'send_command', title: 'Send commands', text: 'Send downlink commands to devices.' },
    ],
  },
  {
    area: 'People',
    permissions: [{ name: 'list_users', title: 'View users and groups', text: 'See who is in the organization and in which groups.' }],
  },
];
