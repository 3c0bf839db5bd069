import { deviceQueriesApi } from '@telltale/domain/queries/device-query.ts';
import { Input } from 'antd';
import { useId, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useWrite } from '../../api/query.ts';
import { useOffered } from '../../layout/navigation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FormSkeleton } from '../../ui/FormSkeleton.tsx';
import { queryLists } from '../useQueryWrites.ts';
import { DeviceFields } from './DeviceFields.tsx';
import styles from './Devices.module.css';
import { isComplete, nothingSelected, type Selection, useDeviceChoices } from './useDeviceChoices.ts';

/** Q5 */
const incomplete = 'Fill All the values to continue';

/** Screens 7: a query over devices, without writing SQL; its text can be edited afterwards. */
export default function NewDeviceQueryDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [selection, setSelection] = useState<Selection>(nothingSelected);
  const [fault, setFault] = useState('');
  const { channels } = useDeviceChoices(nothingSelected);
  const add = useWrite(deviceQueriesApi.add, { refresh: queryLists, saved: 'Query created Successfully', failed: false });

  const change = (next: Selection) => {
    setSelection(next);
    setFault('');
  };
  const create = async () => {
    const isReady = name.trim() !== '' && isComplete(selection);
    if (!isReady) setFault(incomplete);
    if (!isReady) throw new Error(incomplete);
    const made = await add.mutateAsync({ body: { name: name.trim(), ...selection } }).catch((error: Error) => {
      setFault(error.message);
      throw error;
    });
    const chart = made.visualizations.find(({ type }) => type === 'CHART');
    navigate(`/queries/${made.id}/source${chart ? `#${chart.id}` : ''}`);
  };

  const hasChannels = channels.data === undefined || channels.data.length > 0;
  return (
    <Dialog
      title="New Query"
      okText={hasChannels ? 'Create query' : 'Close'}
      {...(hasChannels && { onOk: create })}
      hasCancel={hasChannels}
      isOkDisabled={channels.isPending}
      onClose={onClose}
    >
      {channels.isPending && <FormSkeleton />}
      {!hasChannels && <NoChannels />}
      {!channels.isPending && hasChannels && (
        <div className={styles.form}>
          <div className={styles.field}>
            <label htmlFor={`${id}-name`}>Name</label>
            <Input
              id={`${id}-name`}
              value={name}
              maxLength={255}
              autoComplete="off"
              onChange={({ target }) => {
                setName(target.value);
                setFault('');
              }}
            />
          </div>
          <DeviceFields value={selection} onChange={change} />
          {fault && (
            <p className={styles.fault} role="alert">
              {fault}
            </p>
          )}
        </div>
      )}
    </Dialog>
  );
}

function NoChannels() {
  const [page] = useOffered([{ path: '/mqtt' }]);
  return (
    <EmptyState action={page && <Link to={page.path}>Go to the channels</Link>}>
      There are no channels yet. Devices report into channels: once one of them has, its attributes can be chosen here.
    </EmptyState>
  );
}
