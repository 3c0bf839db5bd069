import type { Sent } from '@telltale/domain/commands/contract.ts';
import { StateLabel } from '../../ui/StateLabel.tsx';
import styles from '../Commands.module.css';
import { byteCount, encodingNames, hexText } from '../form/payloadText.ts';

export const devicesText = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'device' : 'devices'}`;

/** Shows the bytes once where they are the same for all, and every device by name, with the reason where it would get nothing. */
export function SendPreview({ sent: { deliveries } }: { sent: Sent }) {
  const [first] = deliveries;
  if (!first) return <p className={styles.hint}>No device would get this command.</p>;
  const isSame = deliveries.every(({ bytes_hex, state }) => bytes_hex === first.bytes_hex && state === first.state);
  return (
    <>
      {isSame && (
        <div className={styles.preview}>
          <span className={styles.caption}>Payload</span>
          <Payload delivery={first} />
        </div>
      )}
      <div className={styles.preview}>
        <span className={styles.caption}>{devicesText(deliveries.length)}</span>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
        <ul className={styles.targets} aria-label="Devices" tabIndex={0}>
          {deliveries.map((delivery) => (
            <li key={delivery.device_id}>
              <span className={styles.name}>{delivery.device_name}</span> <code className={styles.id}>{delivery.device_id}</code>
              {!isSame && <Payload delivery={delivery} />}
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function Payload({ delivery: { bytes_hex, encoding, state, reason } }: { delivery: Sent['deliveries'][number] }) {
  if (state === 'failed')
    return (
      <div>
        <StateLabel tone="danger">Not sent</StateLabel>
        <p className={styles.hint}>{reason}</p>
      </div>
    );
  return (
    <div className={styles.payloadPreview}>
      <code>{hexText(bytes_hex, 256)}</code>
      <span className={styles.hint}>
        {byteCount(bytes_hex.length / 2)}, {encodingNames[encoding]}
        {isReadable(bytes_hex) && <>: {textOf(bytes_hex)}</>}
      </span>
    </div>
  );
}

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const textOf = (hex: string) => new TextDecoder().decode(bytesOf(hex)).slice(0, 500);
/** Bytes that are printable characters are also shown as text. */
const isReadable = (hex: string) => bytesOf(hex).every((byte) => byte >= 0x20 && byte < 0x7f);
