import { channelAddress, deviceAddress } from '@telltale/domain/channels/address.ts';
import { dashboardUrl } from '@telltale/domain/dashboards/address.ts';
import type { Found, SearchParams } from '@telltale/domain/search/contract.ts';
import type { UserCtx } from '../platform/context.ts';
import { whereMay } from '../policy/policy.ts';
import { type FoundRow, findObjects } from './search.store.ts';

/** Finds all objects of that name that the caller may see, each kind by the rule of its own list. */
export async function search(ctx: UserCtx, { q, limit }: SearchParams): Promise<{ results: Found[] }> {
  const { user } = ctx;
  const rows = await findObjects(ctx.db, {
    q,
    limit,
    org_id: user.org_id,
    user_id: user.id,
    may: {
      query: whereMay(user, 'find', 'query'),
      dashboard: whereMay(user, 'find', 'dashboard'),
      channel: whereMay(user, 'view', 'channel'),
      reach: whereMay(user, 'reach', 'channel'),
      device: whereMay(user, 'view', 'device'),
      alert: whereMay(user, 'list', 'alert'),
      command: whereMay(user, 'view', 'command'),
      user: whereMay(user, 'list', 'user'),
    },
  });
  return {
    results: rows.map((row) => ({ type: row.type, name: row.name, detail: row.detail, url: urlOf(row), changed_at: row.changed_at })),
  };
}

function urlOf({ type, id, name, channel_id, kind }: FoundRow): string {
  switch (type) {
    case 'query':
      return `/queries/${id}`;
    case 'dashboard':
      return dashboardUrl({ id: Number(id), name });
    case 'channel':
      return channelAddress(id, kind ?? 'mqtt');
    case 'device':
      return deviceAddress(channel_id ?? '', id, kind ?? 'mqtt');
    case 'alert':
      return `/alerts/${id}`;
    case 'command':
      return `/commands/${id}`;
    case 'user':
      return `/users/${id}`;
  }
}
