import type { CommandDraft, DraftFaults } from './draft.ts';

/** The props of each part of a command's form. */
export interface FieldsProps {
  /** Ids of controls begin with it. */
  id: string;
  draft: CommandDraft;
  /** The faults to show. */
  faults: DraftFaults;
  onChange: (changes: Partial<CommandDraft>) => void;
  isReadOnly: boolean;
  isLorawan: boolean;
}
