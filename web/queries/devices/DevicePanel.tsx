import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { type DeviceQuery, deviceQueriesApi } from '@telltale/domain/queries/device-query.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { useRead, useWrite } from '../../api/query.ts';
import { confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notify.tsx';
import { isDeepEqual } from '../../visualizations/isDeepEqual.ts';
import type { EditedQuery } from '../useEditedQuery.ts';
import { DeviceFields } from './DeviceFields.tsx';
import styles from './Devices.module.css';
import { isComplete, type Selection } from './useDeviceChoices.ts';

/** Screens 7: for queries made from devices; applying makes the text anew. */
export function DevicePanel({ edited, queryId }: { edited: EditedQuery; queryId: number }) {
  const read = useRead(deviceQueriesApi.get, { params: { id: queryId } }, { retry: false, gcTime: 0, staleTime: Number.POSITIVE_INFINITY });
  if (!read.data) return null;
  return <Panel key={read.data.version} edited={edited} stored={read.data} reload={read.refetch} />;
}

interface PanelProps {
  edited: EditedQuery;
  stored: DeviceQuery;
  reload: () => Promise<unknown>;
}

const overwrite = {
  title: 'Make the text anew?',
  content:
    'The text of this query was edited by hand. Applying these devices and attributes replaces it; the saved text stays in the version history.',
  okText: 'Replace the text',
  danger: true,
};

function Panel({ edited, stored, reload }: PanelProps) {
  const { channel_id, device_ids, attributes } = stored;
  const before: Selection = { channel_id, device_ids, attributes };
  const [selection, setSelection] = useState(before);
  const save = useWrite(deviceQueriesApi.save, { saved: 'updated SuccessFully', failed: 'Check All the Values' });
  const isChanged = !isDeepEqual(before, selection);

  const apply = async () => {
    if (!isComplete(selection)) return notify.error('Check All the Values');
    const isByHand = edited.isTextDirty || (await call(deviceQueriesApi.get, { params: { id: stored.id } })).is_edited;
    if (isByHand && !(await confirm(overwrite))) return;
    await save.mutateAsync({ params: { id: stored.id }, body: { ...selection, ...(edited.saved && { version: edited.saved.version }) } });
    const query = await call(queriesApi.get, { params: { id: stored.id } });
    if ('query' in query) edited.adopt(query);
    await reload();
  };

  return (
    <section className={styles.panel} aria-label="Device data">
      <DeviceFields value={selection} onChange={setSelection} isDisabled={!edited.canEdit || save.isPending} />
      {edited.canEdit && (
        <Button className={styles.apply ?? ''} disabled={!isChanged} loading={save.isPending} onClick={() => void apply().catch(() => {})}>
          Apply
        </Button>
      )}
    </section>
  );
}
