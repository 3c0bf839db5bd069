import type { Network } from '@telltale/domain/networks/contract.ts';
import { StateLabel, type Tone } from '../ui/StateLabel.tsx';

const states: Readonly<Record<Network['state'], { tone: Tone; word: string }>> = {
  connecting: { tone: 'neutral', word: 'Connecting…' },
  connected: { tone: 'ok', word: 'Connected' },
  error: { tone: 'danger', word: 'Error' },
  disabled: { tone: 'neutral', word: 'Disabled' },
};

export function NetworkState({ state }: Pick<Network, 'state'>) {
  const { tone, word } = states[state];
  return <StateLabel tone={tone}>{word}</StateLabel>;
}
