import type { FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import { Link } from 'react-router';
import { useAllGroups } from '../groups/useGroups.ts';
import { Section } from '../ui/Section.tsx';
import styles from './SourceGroups.module.css';
import { accessName } from './sourceAccess.ts';

/** Who may use it; it is given and taken on the page of the group. */
export function SourceGroups({ source }: { source: FullDataSource }) {
  const groups = useAllGroups();
  if (!groups) return null;
  const open = groups.filter(({ id }) => String(id) in source.groups);
  return (
    <Section title="Groups">
      {open.length === 0 ? (
        <p className={styles.nobody}>
          Only administrators can use this data source. Add it to a <Link to="/groups">group</Link> to open it to others.
        </p>
      ) : (
        <ul className={styles.groups}>
          {open.map(({ id, name }) => (
            <li key={id} className={styles.group}>
              <Link className={styles.name} to={`/groups/${id}/data_sources`} title={name}>
                {name}
              </Link>
              <span className={styles.access}>{accessName(source.groups[id] ?? false)}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
