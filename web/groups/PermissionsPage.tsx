import type { Group } from '@telltale/domain/groups/contract.ts';
import { Link } from 'react-router';
import type { View } from '../ui/ItemsPage.tsx';
import { Views } from '../ui/items/Views.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { SideBarLayout } from '../ui/SideBarLayout.tsx';
import { DeleteGroupButton } from './DeleteGroupButton.tsx';
import { GroupHeading } from './GroupHeading.tsx';
import { PermissionsForm } from './PermissionsForm.tsx';
import styles from './PermissionsPage.module.css';

export function PermissionsPage({ group, views }: { group: Group; views: readonly View[] }) {
  return (
    <div className={styles.page}>
      <PageHeader
        level={2}
        above={<Link to="/groups">Groups</Link>}
        title={<GroupHeading group={group} />}
        action={<DeleteGroupButton group={group} />}
      />
      <SideBarLayout side={<Views views={views} label="Group" />}>
        <PermissionsForm group={group} />
      </SideBarLayout>
    </div>
  );
}
