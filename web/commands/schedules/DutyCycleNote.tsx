import type { Command } from '@telltale/domain/commands/contract.ts';
import { allowedPercent, scheduleDutyPercent } from '@telltale/domain/lorawan/airtime.ts';
import { Alert } from 'antd';
import { figureText } from '../../ui/figureText.ts';
import { payloadBytes, splitPayload } from '../form/payloadText.ts';
import { useIsLorawan } from '../useTargets.ts';

/** A typical length, for payloads that the channel's encoder makes later. */
const usualBytes = 12;

/** Warns before saving when a schedule keeps gateways sending for longer than most regions allow. */
export function DutyCycleNote({
  command,
  next,
}: {
  command: Pick<Command, 'channel_id' | 'device_ids' | 'payload'>;
  next: readonly string[];
}) {
  const isLorawan = useIsLorawan(command.channel_id);
  if (!isLorawan) return null;
  const typed = splitPayload(command.payload);
  const read = payloadBytes(typed, true);
  const bytes = 'hex' in read && !typed.text.trimStart().startsWith('{') ? read.hex.length / 2 : usualBytes;
  const percent = scheduleDutyPercent({ bytes, devices: command.device_ids.length, next });
  if (percent === null || percent <= allowedPercent) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title={`Up to ${figureText(percent)} % of the time on air`}
      description={`At the slowest data rate (SF12) this schedule takes more than the duty cycle of ${allowedPercent} % that most regions allow. Send less often, to fewer devices, or fewer bytes.`}
    />
  );
}
