import ExportOutlined from '@ant-design/icons/ExportOutlined';
import { Drawer, Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import { useSession } from '../api/session.ts';
import styles from './HelpDrawer.module.css';
import { closeHelp, type HelpTopic, helpAddress } from './help.ts';
import { isReachable, timeoutMs } from './isReachable.ts';

export function HelpDrawer({ topic }: { topic: HelpTopic | null }) {
  const { client_config } = useSession();
  // While the drawer slides out it still shows the last topic.
  const [shown, setShown] = useState<HelpTopic>(topic ?? 'index');
  if (topic && topic !== shown) setShown(topic);
  const address = helpAddress(client_config.helpUrl, shown);
  return (
    <Drawer
      open={topic !== null}
      onClose={closeHelp}
      title="Help"
      size={400}
      styles={{ wrapper: { maxWidth: '100vw' }, section: { background: 'var(--paper)' }, body: { padding: 0 } }}
      extra={
        <a href={address} target="_blank" rel="noopener" className={styles.tab}>
          <ExportOutlined aria-hidden /> Open in a new tab
        </a>
      }
      // Help is read beside its page, which stays usable.
      mask={false}
      destroyOnHidden
    >
      <HelpFrame key={address} address={address} />
    </Drawer>
  );
}

type Stage = 'waiting' | 'shown' | 'failed';

/** A frame also fires "load" for an error page: so the address is checked first, and the frame is inspected where that is allowed. */
function HelpFrame({ address }: { address: string }) {
  const [isThere, setThere] = useState(false);
  const [stage, setStage] = useState<Stage>('waiting');

  useEffect(() => {
    const leaving = new AbortController();
    // A page may answer and then never end.
    const timer = setTimeout(() => setStage((now) => (now === 'waiting' ? 'failed' : now)), timeoutMs);
    isReachable(address, leaving.signal).then((isFound) => {
      if (leaving.signal.aborted) return;
      if (isFound) setThere(true);
      else setStage('failed');
    });
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [address]);

  if (stage === 'failed') {
    return (
      <p className={styles.failed} role="alert">
        Something went wrong.{' '}
        <a href={address} target="_blank" rel="noopener">
          Click here to open the page in a new window.
        </a>
      </p>
    );
  }
  return (
    <div className={styles.place}>
      {stage === 'waiting' && <Skeleton active className={styles.skeleton} title paragraph={{ rows: 6 }} />}
      {isThere && (
        <iframe
          src={address}
          title="Help page"
          className={styles.frame}
          hidden={stage !== 'shown'}
          onLoad={(event) => setStage(isRefused(event.currentTarget, address) ? 'failed' : 'shown')}
        />
      )}
    </div>
  );
}

/** The browser replaces a page that must not be framed; for our own origin that can be detected. */
function isRefused(frame: HTMLIFrameElement, address: string): boolean {
  return new URL(address, location.href).origin === location.origin && frame.contentDocument === null;
}
