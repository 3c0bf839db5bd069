import type { Network } from '@telltale/domain/networks/contract.ts';
import { Alert, Button } from 'antd';
import { Link, useNavigate, useParams } from 'react-router';
import { TestConnection } from '../data-sources/TestConnection.tsx';
import { NotFoundPanel } from '../layout/ErrorPanel.tsx';
import { SettingsFrame } from '../layout/SettingsFrame.tsx';
import { useTitle } from '../layout/useTitle.ts';
import { confirm } from '../ui/confirm.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
import { KindForm } from '../ui/KindForm.tsx';
import { leaveUnasked } from '../ui/leaveGuard.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import { PictureTitle } from '../ui/PictureTitle.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { NetworkMark } from './NetworkMark.tsx';
import { NetworkState } from './NetworkState.tsx';
import styles from './Networks.module.css';
import { networkTest, useDeleteNetwork, useNetwork, useNetworkTypes, useSaveNetwork, useTypeName } from './useNetworks.ts';
import { Webhook } from './Webhook.tsx';

/** /networks/:networkId */
export function NetworkPage() {
  const id = Number(useParams().networkId);
  return Number.isSafeInteger(id) && id > 0 ? <StoredNetwork id={id} /> : <NotFoundPanel />;
}

function StoredNetwork({ id }: { id: number }) {
  const { data: network, error, refetch } = useNetwork(id);
  useTitle(network?.name);
  return (
    <SettingsFrame>
      {error && !network && <ErrorState error={error} onRetry={refetch} action={<Link to="/networks">Networks</Link>} />}
      {!error && !network && <FormSkeleton rows={6} />}
      {network && <NetworkView key={network.id} network={network} />}
    </SettingsFrame>
  );
}

function NetworkView({ network }: { network: Network }) {
  const { id, type } = network;
  const save = useSaveNetwork();
  const types = useNetworkTypes();
  const typeName = useTypeName()(type);
  const webhookHint = types.data?.find((kind) => kind.type === type)?.webhook_hint;
  return (
    <div className={styles.page}>
      <PageHeader
        level={2}
        above={<Link to="/networks">Networks</Link>}
        title={<PictureTitle picture={<NetworkMark type={type} typeName={typeName} size={40} />} name={network.name} below={typeName} />}
        action={<NetworkActions network={network} />}
      />
      <div className={styles.facts}>
        <NetworkState state={network.state} />
        <span>
          Last message <TimeAgo date={network.last_message_at} placeholder="never" />
        </span>
        <span>{network.channels === 1 ? '1 channel' : `${network.channels.toLocaleString('en')} channels`}</span>
      </div>
      {network.last_error && <Alert type="warning" showIcon title={network.last_error} />}
      <KindForm
        what="network"
        item={network}
        kinds={types}
        onSave={(body) => save.mutateAsync({ params: { id }, body })}
        tools={(open) => <TestConnection type={type} id={id} subject={networkTest} {...open} />}
      />
      {webhookHint && <Webhook network={network} hint={webhookHint} />}
    </div>
  );
}

function NetworkActions({ network: { id, name, channels, is_disabled } }: { network: Network }) {
  const save = useSaveNetwork();
  const remove = useDeleteNetwork();
  const navigate = useNavigate();
  const ask = async () => {
    const bound = channels === 1 ? 'Its channel keeps' : `Its ${channels.toLocaleString('en')} channels keep`;
    const isDeleted = await confirm({
      title: 'Delete Network',
      content: `Are you sure you want to delete the network “${name}”? ${channels > 0 ? `${bound} what was reported, but nothing new comes in.` : ''}`,
      okText: 'Delete',
      danger: true,
      onOk: () => remove.mutateAsync({ params: { id } }),
    });
    if (!isDeleted) return;
    leaveUnasked();
    navigate('/networks');
  };
  return (
    <>
      <Button loading={save.isPending} onClick={() => save.mutate({ params: { id }, body: { is_disabled: !is_disabled } })}>
        {is_disabled ? 'Enable' : 'Disable'}
      </Button>
      <Button danger onClick={() => void ask()}>
        Delete
      </Button>
    </>
  );
}
