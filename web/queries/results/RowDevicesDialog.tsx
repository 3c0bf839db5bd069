import type { QueryResult } from '@telltale/domain/results/contract.ts';
import { Checkbox, Select } from 'antd';
import { useId, useMemo, useState } from 'react';
import { devicesText } from '../../commands/send/SendPreview.tsx';
import { useChannelChoices } from '../../commands/useTargets.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Labelled } from '../../ui/form/Labelled.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { devicesInRows } from './devicesInRows.ts';
import styles from './RowDevices.module.css';

interface RowDevicesDialogProps {
  data: QueryResult['data'];
  onChosen: (target: { channelId: string; deviceIds: string[] }) => void;
  onClose: () => void;
}

const mostShown = 500;

/** Only rows of one channel can be selected: a command belongs to a channel. */
export default function RowDevicesDialog({ data, onChosen, onClose }: RowDevicesDialogProps) {
  const id = useId();
  const all = useMemo(() => devicesInRows(data), [data]);
  const named = useMemo(() => [...new Set(all.flatMap(({ channel_id }) => channel_id ?? []))], [all]);
  const channels = useChannelChoices();
  const [channelId, setChannelId] = useState<string | null>(named[0] ?? null);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [term, setTerm] = useState('');
  const offered = named.length > 0 ? channels.options.filter(({ value }) => named.includes(value)) : channels.options;
  const devices = all.filter((one) => one.channel_id === null || one.channel_id === channelId);
  const found = devices.filter(({ device_id, summary }) => `${device_id}\n${summary}`.toLowerCase().includes(term.toLowerCase()));
  const isAll = found.length > 0 && found.every(({ device_id }) => ticked.has(device_id));
  const tick = (ids: readonly string[], isOn: boolean) => {
    const next = new Set(ticked);
    for (const one of ids) isOn ? next.add(one) : next.delete(one);
    setTicked(next);
  };
  return (
    <Dialog
      title="Send command to devices of this result"
      okText="Choose command"
      width={640}
      isOkDisabled={ticked.size === 0 || channelId === null}
      note={<span className={styles.count}>{ticked.size > 0 && devicesText(ticked.size)}</span>}
      onOk={() => channelId !== null && onChosen({ channelId, deviceIds: [...ticked] })}
      onClose={onClose}
    >
      <div className={styles.dialog}>
        <Labelled id={`${id}-channel`} label="Channel">
          <Select
            id={`${id}-channel`}
            placeholder="Choose the channel of these devices"
            value={channelId}
            loading={channels.isPending}
            options={offered}
            showSearch={{ optionFilterProp: 'label' }}
            onChange={(next: string) => {
              setChannelId(next);
              setTicked(new Set());
            }}
          />
        </Labelled>
        <SearchBox value={term} onSearch={setTerm} label="Search devices" placeholder="Search devices..." />
        <div className={styles.frame}>
          <div className={styles.all}>
            <Checkbox
              checked={isAll}
              indeterminate={!isAll && ticked.size > 0}
              disabled={found.length === 0}
              onChange={({ target }) =>
                tick(
                  found.map(({ device_id }) => device_id),
                  target.checked,
                )
              }
            >
              {devicesText(found.length)}
            </Checkbox>
          </div>
          <ul className={styles.rows} aria-label="Devices">
            {found.slice(0, mostShown).map(({ device_id, summary, rows }) => (
              <li key={device_id}>
                <Checkbox checked={ticked.has(device_id)} onChange={({ target }) => tick([device_id], target.checked)}>
                  <code>{device_id}</code>{' '}
                  <span className={styles.summary}>
                    {summary}
                    {rows > 1 && ` (${rows.toLocaleString('en')} rows)`}
                  </span>
                </Checkbox>
              </li>
            ))}
          </ul>
        </div>
        {found.length > mostShown && <p className={styles.summary}>The first {mostShown} are shown. A search narrows them down.</p>}
      </div>
    </Dialog>
  );
}
