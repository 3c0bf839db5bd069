import type { ChannelDetail } from '@telltale/domain/channels/contract.ts';
import { Link } from 'react-router';
import { useCan } from '../../api/session.ts';

/** The network of a channel; its page is for administrators. */
export function NetworkName({ channel: { network_name, settings } }: { channel: ChannelDetail }) {
  return useCan()('admin') ? <Link to={`/networks/${settings.network_id}`}>{network_name}</Link> : <b>{network_name}</b>;
}
