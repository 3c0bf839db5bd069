import { useInfiniteQuery } from '@tanstack/react-query';
import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { deviceDataApi, type Message } from '@telltale/domain/channels/data-contract.ts';
import type { UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../api/call.ts';
import { queryKey } from '../../../api/queryKey.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { NoMatch } from '../../../ui/NoMatch.tsx';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { Section } from '../../../ui/Section.tsx';
import { deviceAt } from '../../useChannels.ts';
import styles from '../Device.module.css';
import type { DeviceFeed } from '../useDeviceFeed.ts';
import { MessageRow } from './MessageRow.tsx';

const readAgainMs = 1000;

/** Every message as it came, the newest first; without a search, new ones join at the top. */
export function MessageLog({ device, feed }: { device: DeviceDetail; feed: DeviceFeed }) {
  const [q, setQ] = useState('');
  const params = deviceAt(device);
  const read = useInfiniteQuery({
    queryKey: [...queryKey(deviceDataApi.messages, { params, query: { q } })],
    queryFn: ({ pageParam, signal }) =>
      call(deviceDataApi.messages, { params, query: { ...(q && { q }), ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
  const { refetch } = read;
  const due = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Messages that the feed dropped are read again, once for a whole burst.
  useEffect(() => {
    if (feed.dropped === 0 || q || due.current) return;
    due.current = setTimeout(() => {
      due.current = undefined;
      void refetch();
    }, readAgainMs);
  }, [feed.dropped, q, refetch]);
  useEffect(() => () => clearTimeout(due.current), []);
  const stored = read.data?.pages.flatMap(({ results }) => results) ?? [];
  const messages = q ? stored : together(feed.records, stored);
  return (
    <Section level={2} title="Messages">
      <div className={styles.search}>
        <SearchBox value={q} onSearch={setQ} label="Search Messages" />
      </div>
      {read.error && <ErrorState error={read.error} onRetry={read.refetch} />}
      {!read.isPending && messages.length === 0 && (q ? <NoMatch /> : <p className={styles.note}>No messages yet.</p>)}
      {messages.length > 0 && (
        <ol className={styles.messages} aria-label="Messages">
          {messages.map((message) => (
            <MessageRow key={`${message.uplink_id} ${message.status}`} message={message} />
          ))}
        </ol>
      )}
      {read.hasNextPage && (
        <Button loading={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
          {q ? 'Search older messages' : 'Show older messages'}
        </Button>
      )}
    </Section>
  );
}

function together(live: readonly UplinkRecord[], stored: readonly Message[]): Message[] {
  const oldest = stored.at(-1)?.received_at ?? '';
  const known = new Set(stored.map(({ uplink_id, status }) => `${uplink_id} ${status}`));
  const added = live
    .filter((record) => record.received_at >= oldest && !known.has(`${record.uplink_id} ${record.status}`))
    .map((record): Message => ({ ...record, event: null }));
  return [...added, ...stored].sort((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1));
}

/** The order of arrival; messages of the same moment are ordered by id. */
const orderOf = ({ received_at, uplink_id }: Message) => `${received_at} ${uplink_id}`;
