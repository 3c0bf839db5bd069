import type { ListedUser } from '@telltale/domain/users/contract.ts';
import { Label } from '../ui/Label.tsx';
import { Tooltip } from '../ui/Tooltip.tsx';
import styles from './GroupLabels.module.css';

const mostShown = 2;

interface GroupLabelsProps {
  groups: ListedUser['groups'];
  /** Shows all groups. A row has room for a few; the others are in the tooltip of their number. */
  isWhole?: boolean;
}

export function GroupLabels({ groups, isWhole = false }: GroupLabelsProps) {
  const shown = isWhole || groups.length <= mostShown + 1 ? groups : groups.slice(0, mostShown);
  const rest = groups.slice(shown.length);
  return (
    <span className={isWhole ? styles.whole : styles.row}>
      {shown.map((group) => (
        <Label key={group.id} to={`/groups/${group.id}`}>
          {group.name}
        </Label>
      ))}
      {rest.length > 0 && (
        <Tooltip title={rest.map(({ name }) => name).join(', ')}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the names behind the number must be reachable by keyboard */}
          <span className={styles.more} tabIndex={0}>
            +{rest.length}
          </span>
        </Tooltip>
      )}
    </span>
  );
}
