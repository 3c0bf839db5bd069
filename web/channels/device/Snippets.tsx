import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { Alert, Radio } from 'antd';
import { useState } from 'react';
import { CopyButton } from '../../ui/CopyButton.tsx';
import styles from './Device.module.css';
import { brokerOf, snippetsOf } from './snippets.ts';

interface SnippetsProps {
  device: DeviceDetail;
  shows?: readonly ('publish' | 'subscribe')[];
}

const titles = { publish: 'Publish', subscribe: 'Subscribe' } as const;

export function Snippets({ device, shows = ['publish', 'subscribe'] }: SnippetsProps) {
  const [chosen, setChosen] = useState('mosquitto');
  const broker = brokerOf(device, location.hostname);
  if (!broker)
    return (
      <Alert type="warning" showIcon title="The MQTT broker is not running, so devices cannot connect. Set MQTT_PORT and start it again." />
    );
  const snippets = snippetsOf(device, broker);
  const snippet = snippets.find(({ name }) => name === chosen) ?? snippets[0];
  return (
    <div className={styles.snippets}>
      <Radio.Group
        aria-label="Language"
        optionType="button"
        value={chosen}
        options={snippets.map(({ name }) => ({ label: name, value: name }))}
        onChange={({ target }) => setChosen(String(target.value))}
      />
      {snippet &&
        shows.map((what) => (
          <figure key={what} className={styles.snippet}>
            <figcaption>
              {titles[what]}
              <CopyButton text={snippet[what]} what={`${snippet.name} ${what} snippet`} />
            </figcaption>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
            <pre tabIndex={0}>{snippet[what].replaceAll(device.api_key, '••••••••')}</pre>
          </figure>
        ))}
      <p className={styles.note}>
        MQTT 3.1.1, QoS 1: an acknowledgement means that the message is on disk. Clients that ask for MQTT 5 are refused with code 1.
      </p>
    </div>
  );
}
