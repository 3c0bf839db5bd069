import type { Delivery } from '@telltale/domain/commands/delivery.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { byteCount, encodingNames, hexText } from '../form/payloadText.ts';
import styles from './Deliveries.module.css';

/** The sent bytes; the encoding and the port show on hover and on focus. A delivery that could not be encoded has none. */
export function DeliveryBytes({ delivery: { bytes_hex, encoding, fport } }: { delivery: Delivery }) {
  if (bytes_hex === '') return null;
  return (
    <Tooltip title={`${encodingNames[encoding]}, ${byteCount(bytes_hex.length / 2)}, FPort ${fport}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: how the bytes are meant must be reachable by keyboard */}
      <code className={styles.bytes} tabIndex={0}>
        {hexText(bytes_hex, 16)}
      </code>
    </Tooltip>
  );
}
