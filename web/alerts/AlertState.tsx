import type { AlertState as State } from '@telltale/domain/alerts/options.ts';
import { StateLabel, type Tone } from '../ui/StateLabel.tsx';

/** A4: unknown is a warning, ok a success, triggered a danger. */
const tones: Record<State, Tone> = { unknown: 'warning', ok: 'ok', triggered: 'danger' };

/** The state in lists and tables: "TRIGGERED". */
export const AlertState = ({ state }: { state: State }) => <StateLabel tone={tones[state]}>{state.toUpperCase()}</StateLabel>;

/** The state on the page of an alert: "Status: triggered". */
export const AlertStatus = ({ state }: { state: State }) => <StateLabel tone={tones[state]}>{`Status: ${state}`}</StateLabel>;
