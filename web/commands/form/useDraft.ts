import { useState } from 'react';
import { type Attribute, useAttributes, useIsLorawan } from '../useTargets.ts';
import { type CommandDraft, type DraftFaults, faultsOf } from './draft.ts';

interface DraftState {
  draft: CommandDraft;
  change: (changes: Partial<CommandDraft>) => void;
  /** The faults of touched fields; all faults after an attempt to save. */
  shown: DraftFaults;
  attributes: readonly Attribute[] | null;
  /** The chosen channel belongs to a radio network. */
  isLorawan: boolean;
  /** Shows every fault and returns the name of the first field with one, or null. */
  check: () => keyof CommandDraft | null;
  reset: () => void;
}

/** Edits are kept apart from the saved command, so that a reload does not discard them. */
export function useDraft(saved: CommandDraft, leastPortOf: (saved: CommandDraft, isLorawan: boolean) => number): DraftState {
  const [edits, setEdits] = useState<Partial<CommandDraft>>({});
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isTried, setTried] = useState(false);
  const draft = { ...saved, ...edits };
  const attributes = useAttributes(draft.channel_id, draft.retry_enabled ? draft.device_ids : []);
  const isLorawan = useIsLorawan(draft.channel_id);
  const faults = faultsOf(draft, {
    leastPort: leastPortOf(saved, isLorawan),
    attributes: attributes?.map(({ name }) => name) ?? null,
    isLorawan,
  });
  const shown = Object.fromEntries(Object.entries(faults).filter(([name]) => isTried || touched.has(name)));
  return {
    draft,
    attributes,
    isLorawan,
    shown,
    change: (changes) => {
      // The first field was changed by hand; the others follow from it.
      const [name = ''] = Object.keys(changes);
      setEdits((before) => ({ ...before, ...changes }));
      setTouched((before) => new Set(before).add(name));
    },
    check: () => {
      setTried(true);
      return (Object.keys(faults)[0] as keyof CommandDraft | undefined) ?? null;
    },
    reset: () => {
      setEdits({});
      setTouched(new Set());
      setTried(false);
    },
  };
}
