import type { Group } from '@telltale/domain/groups/contract.ts';
import { GuardedButton } from '../ui/GuardedButton.tsx';
import { useAskToDeleteGroup } from './useAskToDeleteGroup.tsx';

/** The button on the page of the group; the list has one in every row. */
export function DeleteGroupButton({ group }: { group: Group }) {
  const { ask, refusal } = useAskToDeleteGroup(group);
  return (
    <GuardedButton danger refusal={refusal} onClick={ask}>
      Delete Group
    </GuardedButton>
  );
}
