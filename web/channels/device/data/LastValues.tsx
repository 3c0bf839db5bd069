import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import type { LastValue } from '@telltale/domain/channels/data-contract.ts';
import { TimeAgo } from '../../../ui/TimeAgo.tsx';
import { useDisplays } from '../../attributes/useAttributes.ts';
import styles from '../Device.module.css';
import type { DeviceFeed } from '../useDeviceFeed.ts';
import { Reading } from './Reading.tsx';
import { isSwitch } from './readings.ts';
import { Sparkline } from './Sparkline.tsx';
import { useSparklines } from './useDeviceData.ts';

interface LastValuesProps {
  device: DeviceDetail;
  feed: DeviceFeed;
  values: readonly LastValue[];
  /** The attribute whose history is shown below. */
  chosen: string | null;
  onChoose: (attribute: string) => void;
}

export function LastValues({ device, feed, values, chosen, onChoose }: LastValuesProps) {
  const displayOf = useDisplays(device.channel_id);
  const { pointsOf, seconds, spanText } = useSparklines(device, feed);
  return (
    <table className={styles.values} aria-label="Last values">
      <thead>
        <tr>
          <th scope="col">Attribute</th>
          <th scope="col">Last value</th>
          <th scope="col" className={styles.wide}>
            {spanText.charAt(0).toUpperCase() + spanText.slice(1)}
          </th>
          <th scope="col">Time</th>
        </tr>
      </thead>
      <tbody>
        {values.map((one) => (
          <tr key={one.attribute} aria-current={one.attribute === chosen ? 'true' : undefined}>
            <th scope="row">
              {one.kind === 'n' || one.kind === 'b' ? (
                <button type="button" className={styles.attribute} onClick={() => onChoose(one.attribute)}>
                  {one.attribute}
                </button>
              ) : (
                <span className={styles.attribute}>{one.attribute}</span>
              )}
            </th>
            <td className={styles.value}>
              <Reading value={one} display={displayOf(one.attribute)} />
            </td>
            <td className={styles.wide}>
              <Sparkline
                points={pointsOf(one.attribute)}
                seconds={seconds}
                isStepped={isSwitch(one)}
                label={`${one.attribute} over the ${spanText}`}
              />
            </td>
            <td className={styles.time}>
              <TimeAgo date={one.time} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
