import type { ChannelDetail } from '@telltale/domain/channels/contract.ts';
import { Alert } from 'antd';
import { useCan } from '../../api/session.ts';
import { useNetwork } from '../../networks/useNetworks.ts';
import { NetworkName } from './NetworkName.tsx';

/** The connection to the network of a channel fails, or commands do; administrators see why, in the words of the network's page. */
export default function NetworkWarning({ channel }: { channel: ChannelDetail }) {
  const isAdmin = useCan()('admin');
  const { data: network, isLoading } = useNetwork(channel.settings.network_id ?? 0, isAdmin);
  // A second line that comes later would move the page again.
  if (isLoading) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title={
        channel.are_credentials_refused ? (
          <>
            The network <NetworkName channel={channel} /> refuses Telltale’s credentials: commands to devices of this channel fail.{' '}
            {!isAdmin && 'An administrator can enter valid ones.'}
          </>
        ) : (
          <>
            Telltale is not connected to the network <NetworkName channel={channel} />: messages of this channel may be missing.{' '}
            {isAdmin ? network?.last_error : 'An administrator can see the reason.'}
          </>
        )
      }
    />
  );
}
