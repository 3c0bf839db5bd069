import { useId } from 'react';
import { Link } from 'react-router';
import { useSession } from '../api/session.ts';
import { chooseTheme, type ThemeChoice, themeChoices, useThemeChoice } from '../theme/themeChoice.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { BarMenu } from './BarMenu.tsx';
import { MenuLinks } from './MenuLinks.tsx';
import { type NavEntry, settingsEntries, systemStatusEntry, useOffered } from './navigation.ts';
import styles from './ProfileMenu.module.css';

const choiceTitles: Record<ThemeChoice, string> = { system: 'System', light: 'Light', dark: 'Dark' };
const profileEntry: NavEntry = { title: 'Account', path: '/users/me' };

export function ProfileMenu() {
  const { user, client_config } = useSession();
  const profile = useOffered([profileEntry]);
  // Screens 1.3: links to the first settings tab that this user has.
  const settings = useOffered(settingsEntries).slice(0, 1);
  const status = useOffered([systemStatusEntry]);

  return (
    <BarMenu
      label={`Profile menu of ${user.name}`}
      buttonClassName={styles.button}
      panelClassName={styles.panel}
      button={
        <>
          <Avatar name={user.name} image={user.profile_image_url} />
          <span className={styles.name}>{user.name}</span>
        </>
      }
    >
      <p className={styles.who}>
        <strong>{user.name}</strong>
        <span>{user.email}</span>
      </p>
      <MenuLinks entries={[...profile, ...settings.map(({ path }) => ({ title: 'Settings', path })), ...status]} />
      <ThemeSwitch />
      <MenuLinks entries={[{ title: 'Logout', path: '/logout' }]} />
      {client_config.version && (
        <p className={styles.version}>
          Version: {client_config.version}
          {client_config.newVersionAvailable && status[0] && <Link to={status[0].path}>Update Available</Link>}
        </p>
      )}
    </BarMenu>
  );
}

function ThemeSwitch() {
  const choice = useThemeChoice();
  const name = useId();
  return (
    <fieldset className={styles.themes}>
      <legend>Theme</legend>
      {themeChoices.map((option) => (
        <label key={option}>
          <input type="radio" name={name} value={option} checked={option === choice} onChange={() => chooseTheme(option)} />
          <span>{choiceTitles[option]}</span>
        </label>
      ))}
    </fieldset>
  );
}
