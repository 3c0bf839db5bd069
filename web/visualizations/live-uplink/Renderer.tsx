import { Button } from 'antd';
import { StateLabel, type Tone } from '../../ui/StateLabel.tsx';
import type { RendererProps } from '../define.ts';
import { NoPicture } from '../NoPicture.tsx';
import { DeviceCard } from './DeviceCard.tsx';
import styles from './LiveUplink.module.css';
import type { FeedState } from './uplinkFeed.ts';
import type { UplinkOptions } from './uplinkOptions.ts';
import { useUplinkFeed } from './useUplinkFeed.ts';

const states: Readonly<Record<FeedState, { tone: Tone; word: string }>> = {
  connecting: { tone: 'neutral', word: 'Connecting…' },
  live: { tone: 'ok', word: 'Live' },
  reconnecting: { tone: 'warning', word: 'Reconnecting…' },
  offline: { tone: 'danger', word: 'Offline' },
};

/** visualizations 18: the last report of each device, live. */
export default function LiveUplinkRenderer({ options, settings }: RendererProps<UplinkOptions>) {
  const { feeds, state, refused, retry, root } = useUplinkFeed(options);
  if (!options.channelid || options.device_ids.length === 0) {
    return <NoPicture>Select a channel and at least one device</NoPicture>;
  }
  if (refused !== null) {
    return (
      <div ref={root} className={styles.refused} role="alert">
        <p>{refused}</p>
        <Button size="small" onClick={retry}>
          Retry
        </Button>
      </div>
    );
  }
  const { tone, word } = states[state];
  const isQuiet = state === 'live' && options.device_ids.every((device) => !feeds.has(device));
  return (
    <div ref={root} className={styles.root}>
      <header className={styles.head}>
        <span className={styles.channel}>{options.channelid}</span>
        <span role="status">
          <StateLabel tone={tone}>{word}</StateLabel>
        </span>
      </header>
      {isQuiet ? (
        <NoPicture>Waiting for data…</NoPicture>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        <section className={styles.cards} tabIndex={0} aria-label={`Devices of ${options.channelid}`}>
          {options.device_ids.map((device) => (
            <DeviceCard key={device} device={device} feed={feeds.get(device)} options={options} nullText={settings.nullValue} />
          ))}
        </section>
      )}
    </div>
  );
}
