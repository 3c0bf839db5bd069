import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { CopyField } from '../../ui/CopyField.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Section } from '../../ui/Section.tsx';
import styles from './Device.module.css';
import { Snippets } from './Snippets.tsx';

/** D2: what goes to the device, and how it listens. */
export function DownlinkTab({ device }: { device: DeviceDetail }) {
  return (
    <div className={styles.settings}>
      <EmptyState>Nothing has been sent to this device yet. Commands appear here with their time and how they went.</EmptyState>
      <Section level={2} title="Let it listen">
        <p className={styles.note}>What is sent to the device arrives on its subscribe topic.</p>
        <CopyField label="Subscribe Topic" value={device.subscribe_topic} />
        <Snippets device={device} shows={['subscribe']} />
      </Section>
    </div>
  );
}
