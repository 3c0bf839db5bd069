import { DownloadOutlined } from '@ant-design/icons';
import { archiveApi } from '@telltale/domain/channels/archive-contract.ts';
import { addressOf } from '@telltale/domain/endpoint.ts';
import { retentionDays } from '@telltale/domain/uplinks/retention.ts';
import { useRead } from '../api/query.ts';
import { bytesText } from '../queries/run/durationText.ts';
import { Section } from '../ui/Section.tsx';
import styles from './Channels.module.css';

/** Issue 21: messages that left the database for the object store, as files. There is nothing to see where no store is set up. */
export function ArchivedMessages({ channelId }: { channelId: string }) {
  const { data: parts = [] } = useRead(archiveApi.list, { params: { id: channelId } });
  if (parts.length === 0) return null;
  return (
    <Section level={2} title="Archived messages">
      <p className={styles.hint}>
        Messages leave the database after {retentionDays.uplink} days. These files keep them as they came, one JSON object a line.
      </p>
      <ul className={styles.archive}>
        {parts.map(({ name, bytes }) => (
          <li key={name}>
            <span>{periodText(name)}</span>
            <span className={styles.bytes}>{bytesText(bytes)}</span>
            <a href={addressOf(archiveApi.download.path, { id: channelId, name }, {})} download aria-label={`Download ${periodText(name)}`}>
              <DownloadOutlined aria-hidden /> Download
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** `20261017` is a day, `20260901m` a month. */
function periodText(name: string): string {
  const [year, month, day] = [name.slice(0, 4), name.slice(4, 6), name.slice(6, 8)];
  return name.endsWith('m') ? `${year}-${month}` : `${year}-${month}-${day}`;
}
