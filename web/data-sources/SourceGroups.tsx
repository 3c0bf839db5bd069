import type { FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { Link } from 'react-router';
import { itemsOf } from '../api/itemsOf.ts';
import { useRead } from '../api/query.ts';
import { Section } from '../ui/Section.tsx';
import styles from './SourceGroups.module.css';
import { accessName } from './sourceAccess.ts';

/** The groups with access to a source; access is changed on the page of the group. */
export function SourceGroups({ source }: { source: FullDataSource }) {
  const { data: groups } = useRead(groupsApi.list, {});
  if (!groups) return null;
  const open = itemsOf(groups).filter(({ id }) => String(id) in source.groups);
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
