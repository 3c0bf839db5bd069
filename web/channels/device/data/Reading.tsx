import { type AttributeDisplay, displayState } from '@telltale/domain/channels/attribute-display.ts';
import type { LastValue } from '@telltale/domain/channels/data-contract.ts';
import { StateLabel } from '../../../ui/StateLabel.tsx';
import { readingText } from './readings.ts';

interface ReadingProps {
  value: LastValue;
  display: AttributeDisplay | undefined;
  mostLetters?: number;
}

/** A reading with the decimals of its attribute; beyond a threshold it carries the state's mark. */
export function Reading({ value, display, mostLetters = 300 }: ReadingProps) {
  const text = readingText(value, display?.decimals).slice(0, mostLetters);
  const state = value.kind === 'n' && value.value !== null && display ? displayState(value.value, display.thresholds) : null;
  return state === null ? text : <StateLabel tone={state}>{text}</StateLabel>;
}
