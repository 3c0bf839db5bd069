import type { DeviceState as State } from '@telltale/domain/channels/contract.ts';
import { StateLabel, type Tone } from '../ui/StateLabel.tsx';

const looks: Readonly<Record<State, { tone: Tone; word: string }>> = {
  connected: { tone: 'ok', word: 'Connected' },
  reporting: { tone: 'ok', word: 'Reporting' },
  late: { tone: 'warning', word: 'Late' },
  silent: { tone: 'neutral', word: 'Silent' },
};

export const deviceStateChoices = Object.entries(looks).map(([value, { word }]) => ({ value: value as State, label: word }));

export const deviceStateWord = (state: State): string => looks[state].word;
export const deviceStateTone = (state: State): Tone => looks[state].tone;

/** iot-behaviour 1.7, in the words that operators use: a device that reports is never called offline. */
export function DeviceState({ state }: { state: State }) {
  const { tone, word } = looks[state];
  return <StateLabel tone={tone}>{word}</StateLabel>;
}
