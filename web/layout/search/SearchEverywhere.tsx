import SearchOutlined from '@ant-design/icons/SearchOutlined';
import { lazy, Suspense, useEffect, useState } from 'react';
import styles from './Search.module.css';

const SearchDialog = lazy(() => import('./SearchDialog.tsx'));
const isApple = /mac|iphone|ipad/i.test(navigator.platform);
const keys = isApple ? '⌘K' : 'Ctrl+K';

/** The search box in the bar; Ctrl+K or Cmd+K opens it from everywhere. */
export function SearchEverywhere() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button type="button" className={styles.box} aria-keyshortcuts="Control+K Meta+K" onClick={() => setOpen(true)}>
        <SearchOutlined />
        <span className={styles.word}>
          Search<span className="visually-hidden"> everywhere</span>
        </span>
        <kbd className={styles.keys} aria-hidden>
          {keys}
        </kbd>
      </button>
      {isOpen && (
        <Suspense>
          <SearchDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
