import { StateLabel } from '../ui/StateLabel.tsx';

/** iot-behaviour 1.7 */
export function Online({ online }: { online: boolean }) {
  return <StateLabel tone={online ? 'ok' : 'neutral'}>{online ? 'Online' : 'Offline'}</StateLabel>;
}
