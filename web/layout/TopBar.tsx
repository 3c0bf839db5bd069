import MenuOutlined from '@ant-design/icons/MenuOutlined';
import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { Link } from 'react-router';
import { HelpButton } from '../help/HelpButton.tsx';
import { preloadOf, useArea } from './area.ts';
import { BarMenu } from './BarMenu.tsx';
import { Mark } from './Mark.tsx';
import { MenuLinks } from './MenuLinks.tsx';
import { createEntries, topEntries, useOffered } from './navigation.ts';
import { usePages } from './Pages.tsx';
import { ProfileMenu } from './ProfileMenu.tsx';
import { SearchEverywhere } from './search/SearchEverywhere.tsx';
import styles from './TopBar.module.css';
import { TriggeredCount, useTriggeredText } from './TriggeredCount.tsx';

export function TopBar() {
  const pages = usePages();
  const area = useArea();
  const entries = useOffered(topEntries);
  const creatable = useOffered(createEntries);
  const triggered = useTriggeredText();

  return (
    <header className={styles.bar}>
      <BarMenu label="Menu" button={<MenuOutlined />} buttonClassName={styles.hamburger} panelClassName={styles.drawer}>
        <nav aria-label="Main menu">
          <MenuLinks entries={[{ title: 'Home', path: '/', area: 'home' }, ...entries, { title: 'Log out', path: '/logout' }]} />
        </nav>
      </BarMenu>
      <Link to="/" className={styles.brand} aria-current={area === 'home' ? 'page' : undefined}>
        <Mark />
        <span>Telltale</span>
      </Link>
      <nav aria-label="Main" className={styles.entries}>
        {entries.map(({ title, path, area: own }) => (
          <Link
            key={path}
            to={path}
            className={styles.entry}
            title={path === '/alerts' ? triggered : undefined}
            aria-current={own === area ? 'page' : undefined}
            onPointerEnter={() => preloadOf(pages, path)}
            onFocus={() => preloadOf(pages, path)}
          >
            {title}
            {path === '/alerts' && <TriggeredCount />}
          </Link>
        ))}
      </nav>
      <div className={styles.right}>
        <SearchEverywhere />
        {creatable.length > 0 && (
          <BarMenu
            label="Create"
            button={
              <>
                <PlusOutlined /> <span className={styles.wideOnly}>Create</span>
              </>
            }
          >
            <MenuLinks entries={creatable} />
          </BarMenu>
        )}
        <HelpButton />
        <ProfileMenu />
      </div>
    </header>
  );
}
