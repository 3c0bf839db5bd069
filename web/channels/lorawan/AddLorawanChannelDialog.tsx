import { channelAddress } from '@telltale/domain/channels/address.ts';
import { type ChannelKind, isLorawan } from '@telltale/domain/channels/contract.ts';
import { metadataLevels } from '@telltale/domain/lorawan/radio.ts';
import type { NetworkName } from '@telltale/domain/networks/contract.ts';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useCan } from '../../api/session.ts';
import { useNetworkNames } from '../../networks/useNetworks.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { FormSkeleton } from '../../ui/FormSkeleton.tsx';
import type { Field } from '../../ui/form/field.ts';
import { identifierField } from '../identifierField.ts';
import { useCreateChannel } from '../useChannels.ts';
import { metadataOptions } from './metadataOptions.ts';

const fieldsFor = (networks: readonly NetworkName[]): Field[] => [
  {
    name: 'network_id',
    title: 'Network',
    type: 'select',
    required: true,
    options: networks.map(({ id, name }) => ({ value: id, name })),
    ...(networks.length === 1 ? { initialValue: networks[0]?.id } : {}),
  },
  identifierField('channel_id', 'Channel ID', 'weather-stations'),
  { name: 'channel_name', title: 'Channel Name', type: 'text', placeholder: 'Weather stations', autoComplete: 'off' },
  {
    name: 'application_id',
    title: 'Application ID',
    type: 'text',
    autoComplete: 'off',
    info: 'The application of the network; empty takes all that no other channel takes.',
  },
  {
    name: 'metadata',
    title: 'Radio Metadata',
    type: 'select',
    initialValue: 'basic',
    options: metadataOptions,
    info: 'The radio data of each uplink that become attributes.',
  },
];

/** A channel for one application of a network; devices are created by their first uplink. */
export default function AddLorawanChannelDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useNetworkNames();
  const create = useCreateChannel();
  const navigate = useNavigate();
  const [created, setCreated] = useState<{ id: string; kind: ChannelKind } | null>(null);
  const networks = data?.filter(({ type }) => isLorawan(type));
  if (!networks)
    return (
      <Dialog title="Add Channel" hasFooter={false} onClose={onClose}>
        {error ? <ErrorState error={error} onRetry={refetch} /> : <FormSkeleton rows={5} />}
      </Dialog>
    );
  if (networks.length === 0) return <NoNetworks onClose={onClose} />;
  return (
    <FormDialog
      title="Add Channel"
      okText="Add Channel"
      fields={fieldsFor(networks)}
      waitsForValid
      showsErrors
      onSubmit={async ({ network_id, channel_id, channel_name, application_id, metadata }) => {
        const kind = networks.find(({ id }) => id === network_id)?.type ?? 'tts';
        const settings = {
          network_id: Number(network_id),
          application_id: application_id ? String(application_id) : null,
          metadata: metadataLevels.find((level) => level === metadata) ?? 'basic',
        };
        const body = { channel_id: String(channel_id), channel_name: String(channel_name ?? ''), kind, settings };
        setCreated({ id: (await create.mutateAsync({ body })).channel_id, kind });
      }}
      onClose={() => {
        onClose();
        if (created !== null) navigate(channelAddress(created.id, created.kind));
      }}
    />
  );
}

function NoNetworks({ onClose }: { onClose: () => void }) {
  const isAdmin = useCan()('admin');
  const [isOpen, setOpen] = useState(true);
  return (
    <Dialog title="Add Channel" okText="Close" isOpen={isOpen} onOk={() => setOpen(false)} onClose={onClose}>
      <EmptyState action={isAdmin && <Link to="/networks/new">Add a network</Link>}>
        {isAdmin ? 'A channel needs a network first.' : 'A channel needs a network first. An administrator can add one.'}
      </EmptyState>
    </Dialog>
  );
}
