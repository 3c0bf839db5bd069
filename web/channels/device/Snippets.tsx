import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { Alert, Radio } from 'antd';
import { useState } from 'react';
import { CopyButton } from '../../ui/CopyButton.tsx';
import styles from './Device.module.css';
import { brokerOf, curlOf, isLocalOnly, snippetsOf } from './snippets.ts';

interface SnippetsProps {
  device: DeviceDetail;
  shows?: readonly ('publish' | 'subscribe')[];
}

const titles = { publish: 'Publish', subscribe: 'Subscribe' } as const;

export function Snippets({ device, shows = ['publish', 'subscribe'] }: SnippetsProps) {
  const [chosen, setChosen] = useState('mosquitto');
  const broker = brokerOf(device, location.hostname);
  const [mosquitto, ...others] = broker ? snippetsOf(device, broker) : [];
  const snippets = [...(mosquitto ? [mosquitto] : []), curlOf(device, location.origin), ...others];
  const snippet = snippets.find(({ name }) => name === chosen) ?? snippets[0];
  const isOverMqtt = broker !== null && snippet?.name !== 'curl';
  return (
    <div className={styles.snippets}>
      {!broker && (
        <Alert
          type="warning"
          showIcon
          title="The MQTT broker is not running, so devices can report over HTTP only. Set MQTT_PORT and start the console again."
        />
      )}
      <Radio.Group
        aria-label="Language"
        size="small"
        optionType="button"
        value={chosen}
        options={snippets.map(({ name }) => ({ label: name, value: name }))}
        onChange={({ target }) => setChosen(String(target.value))}
      />
      {isOverMqtt && isLocalOnly(device) && (
        <Alert
          type="warning"
          showIcon
          title="The broker listens on 127.0.0.1 only: this works on the machine that runs the console. To let devices in, start it with MQTT_HOST=0.0.0.0."
        />
      )}
      {snippet &&
        shows.map((what) => (
          <figure key={what} className={styles.snippet}>
            <figcaption>
              {titles[what]}
              <CopyButton text={snippet[what]} what={`${snippet.name} ${what} snippet`} isWordy />
            </figcaption>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
            <pre tabIndex={0}>{snippet[what].replaceAll(device.api_key, '••••••••')}</pre>
          </figure>
        ))}
      {isOverMqtt && (
        <p className={styles.note}>
          MQTT 3.1.1 or 5, QoS 1: an acknowledgement means that the message is on disk. MQTT 5 clients read the reason of a refusal.
        </p>
      )}
    </div>
  );
}
