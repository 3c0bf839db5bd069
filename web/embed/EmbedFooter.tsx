import DownloadOutlined from '@ant-design/icons/DownloadOutlined';
import { useLocation } from 'react-router';
import { findApiKey } from '../api/call.ts';
import type { EmbedFlag } from '../queries/embedFlags.ts';
import { downloadItems, type KeyAsked } from '../queries/results/downloadItems.tsx';
import type { QueryRun } from '../queries/run/useQueryRun.ts';
import { MenuButton } from '../ui/MenuButton.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import styles from './EmbedPage.module.css';
import type { EmbeddedQuery } from './embedded.ts';

interface EmbedFooterProps {
  query: EmbeddedQuery;
  run: QueryRun;
  flags: Record<EmbedFlag, boolean>;
  /** The values of the shown result's run. */
  asked: KeyAsked['asked'];
}

/** The age of the result, its downloads, and a link to the query. */
export function EmbedFooter({ query, run: { result, isRunning }, flags, asked }: EmbedFooterProps) {
  const { search } = useLocation();
  if (flags.hide_timestamp && flags.hide_link) return null;
  return (
    <footer className={styles.footer}>
      {!flags.hide_timestamp && (
        <span>
          {isRunning && 'Running…'}
          {!isRunning && result && (
            <>
              Refreshed <TimeAgo date={result.retrieved_at} />
            </>
          )}
        </span>
      )}
      {!flags.hide_link && (
        <span className={styles.links}>
          {result && (
            <MenuButton
              size="small"
              type="text"
              icon={<DownloadOutlined />}
              placement="topRight"
              menu={{ items: downloadItems(result, query.id, { api_key: findApiKey(), asked }) }}
            >
              Download
            </MenuButton>
          )}
          <a href={`/queries/${query.id}${valuesOnly(search)}`} target="_blank" rel="noopener noreferrer">
            View query
          </a>
        </span>
      )}
    </footer>
  );
}

/** Drops the key from the link: users who follow it sign in. */
function valuesOnly(search: string): string {
  const values = [...new URLSearchParams(search)].filter(([key]) => key.startsWith('p_'));
  return values.length > 0 ? `?${new URLSearchParams(values)}` : '';
}
