import { deviceAddress } from '@telltale/domain/channels/address.ts';
import { type ChannelDetail, type ChannelKind, type Device, isLorawan, DeviceState as State } from '@telltale/domain/channels/contract.ts';
import type { DeviceGlance } from '@telltale/domain/channels/data-contract.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { Radio, Select } from 'antd';
import { lazy, Suspense } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useCan } from '../api/session.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage } from '../ui/ItemsPage.tsx';
import { Label } from '../ui/Label.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { PictureSkeleton } from '../visualizations/PictureSkeleton.tsx';
import { AddDeviceButton } from './AddDeviceButton.tsx';
import styles from './Channels.module.css';
import { DeviceState, deviceStateChoices } from './DeviceState.tsx';
import { readingText } from './device/data/readings.ts';
import { Sparkline } from './device/data/Sparkline.tsx';
import { ImportDevicesButton } from './import/ImportDevicesButton.tsx';
import { useDevices, useDeviceTags, useGlances, useSomePlaced } from './useChannels.ts';

const DeviceMap = lazy(() => import('./DeviceMap.tsx'));

type Glances = ReadonlyMap<string, DeviceGlance>;
const daySeconds = 86_400;

/** D2: Name, Api Key and Created At; state, last values and last seen are ours. */
const columnsOf = (kind: ChannelKind, glances: Glances): readonly Column<Device>[] => [
  { title: 'State', sort: 'state', cell: ({ state }) => <DeviceState state={state} />, width: 124 },
  {
    title: 'Name',
    sort: 'name',
    card: 'line',
    cell: ({ channel_id, device_id, name, tags }) => (
      <span className={styles.device}>
        <Link to={deviceAddress(channel_id, device_id, kind)}>{name}</Link>
        <span className={styles.id}>{device_id}</span>
        {tags.map((tag) => (
          <Label key={tag} to={`?tags=${encodeURIComponent(tag)}`}>
            {tag}
          </Label>
        ))}
      </span>
    ),
  },
  {
    title: 'Last values',
    cell: ({ device_id }) => <LastReadings glance={glances.get(device_id)} />,
    width: '32%',
    hideBelow: 640,
    card: 'line',
  },
  {
    title: 'Last Seen',
    sort: 'last_seen_at',
    cell: ({ last_seen_at }) => <TimeAgo date={last_seen_at} placeholder="Never" />,
    width: 132,
    hideBelow: 640,
    card: 'corner',
  },
  isLorawan(kind)
    ? { title: 'DevEUI', cell: ({ dev_eui }) => <span className={styles.id}>{dev_eui}</span>, width: 164, hideBelow: 960, card: 'half' }
    : { title: 'Api Key', cell: (device) => <ApiKey device={device} />, width: 116, hideBelow: 800, card: 'half' },
  {
    title: 'Created At',
    sort: 'created_at',
    cell: ({ created_at }) => <TimeAgo date={created_at} />,
    width: 132,
    hideBelow: 960,
    card: 'half',
  },
];

/** Screens 14: masked, with a copy button, for users who may see it; the device page shows it in full. */
function ApiKey({ device: { api_key, name } }: { device: Device }) {
  return (
    <span className={styles.key}>
      <span className={styles.masked}>••••••</span>
      {api_key !== secretMask && <CopyButton text={api_key} what={`api key of ${name}`} />}
    </span>
  );
}

/** The first number as a line, and up to three values as text. */
function LastReadings({ glance }: { glance: DeviceGlance | undefined }) {
  if (!glance || glance.values.length === 0) {
    return (
      <span className={styles.none} data-none="">
        –
      </span>
    );
  }
  const begin = Date.now() - daySeconds * 1000;
  const hour = (daySeconds * 1000) / Math.max(1, (glance.spark?.points.length ?? 1) - 1);
  const points = (glance.spark?.points ?? []).flatMap((value, at) => (value === null ? [] : [{ at: begin + at * hour, value }]));
  return (
    <span className={styles.readings}>
      {points.length > 1 && (
        <Sparkline
          points={points}
          seconds={daySeconds}
          width={72}
          height={20}
          label={`${glance.spark?.attribute} over the last 24 hours`}
        />
      )}
      {glance.values.map((one) => (
        <span key={one.attribute}>
          <span className={styles.attribute}>{one.attribute}</span> {readingText(one).slice(0, 24)}
        </span>
      ))}
    </span>
  );
}

/** The devices for operators: filtered by state and text, with the last values of each. */
export function DeviceList({ channel: { channel_id, kind } }: { channel: ChannelDetail }) {
  const canManage = useCan()('manage_channel');
  const [search, setSearch] = useSearchParams();
  const state = State.safeParse(search.get('state')).data;
  const devices = useDevices(channel_id, true, state);
  const glances = useGlances(
    channel_id,
    devices.items.map(({ device_id }) => device_id),
  );
  const choose = (next: State | undefined) =>
    setSearch(
      (before) => {
        before.delete('page');
        if (next) before.set('state', next);
        else before.delete('state');
        return before;
      },
      { replace: true },
    );
  const tags = useDeviceTags(channel_id).data?.tags ?? [];
  const isMap = search.has('map');
  const canMap = useSomePlaced(channel_id);
  const setMap = (wanted: boolean) =>
    setSearch(
      (before) => {
        if (wanted) before.set('map', '');
        else before.delete('map');
        return before;
      },
      { replace: true },
    );
  const filter = (
    <>
      <Select
        aria-label="State"
        placeholder="Any state"
        allowClear
        value={state ?? null}
        options={deviceStateChoices}
        style={{ width: 140 }}
        onChange={(next: State | null | undefined) => choose(next ?? undefined)}
      />
      {(tags.length > 0 || devices.tags.length > 0) && (
        <Select
          aria-label="Tags"
          placeholder="Any tag"
          mode="multiple"
          allowClear
          maxTagCount="responsive"
          value={[...devices.tags]}
          options={tags.map(({ name, count }) => ({ value: name, label: `${name} (${count})` }))}
          style={{ minWidth: 160, maxWidth: 280 }}
          onSelect={(tag: string) => devices.toggleTag(tag, true)}
          onDeselect={(tag: string) => devices.toggleTag(tag, true)}
          onClear={devices.clearTags}
        />
      )}
      {canMap && (
        <Radio.Group
          aria-label="View"
          optionType="button"
          value={isMap ? 'map' : 'list'}
          options={[
            { value: 'list', label: 'List' },
            { value: 'map', label: 'Map' },
          ]}
          onChange={({ target }) => setMap(target.value === 'map')}
        />
      )}
    </>
  );
  return (
    <ItemsPage
      title="Devices"
      level={2}
      items={devices}
      columns={columnsOf(kind, glances)}
      keyOf={({ device_id }) => device_id}
      filter={filter}
      notice={
        isMap &&
        canMap && (
          <Suspense fallback={<PictureSkeleton />}>
            <DeviceMap channelId={channel_id} query={{ state, tags: [...devices.tags], ...(devices.q && { q: devices.q }) }} kind={kind} />
          </Suspense>
        )
      }
      isFiltered={state !== undefined}
      action={
        canManage && (
          <>
            <ImportDevicesButton channelId={channel_id} kind={kind} />
            <AddDeviceButton channelId={channel_id} kind={kind} />
          </>
        )
      }
      empty={
        <EmptyState action={canManage && <AddDeviceButton channelId={channel_id} kind={kind} type="default" />}>
          {isLorawan(kind) ? 'No devices in this channel yet. They are added with their first uplink.' : 'No devices in this channel yet'}
        </EmptyState>
      }
    />
  );
}
