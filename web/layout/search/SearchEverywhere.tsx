import SearchOutlined from '@ant-design/icons/SearchOutlined';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import styles from './Search.module.css';

const SearchDialog = lazy(() => import('./SearchDialog.tsx'));
const isApple = /mac|iphone|ipad/i.test(navigator.platform);
const keys = isApple ? '⌘K' : 'Ctrl+K';

/** The search box in the bar; Ctrl+K or Cmd+K opens it from everywhere. */
export function SearchEverywhere() {
  const [isOpen, setOpen] = useState(false);
  /** Counts the dialogs: one that is still closing makes way for a new one. 0 when none is left. */
  const [dialog, setDialog] = useState(0);
  const open = () => {
    setOpen(true);
    setDialog((before) => before + 1);
  };
  const toggle = useEffectEvent(() => (isOpen ? setOpen(false) : open()));
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button type="button" className={styles.box} aria-keyshortcuts="Control+K Meta+K" onClick={open}>
        <SearchOutlined />
        <span className={styles.word}>
          Search<span className="visually-hidden"> everywhere</span>
        </span>
        <kbd className={styles.keys} aria-hidden>
          {keys}
        </kbd>
      </button>
      {dialog > 0 && (
        <Suspense>
          <SearchDialog key={dialog} isOpen={isOpen} onClosing={() => setOpen(false)} onClose={() => setDialog(0)} />
        </Suspense>
      )}
    </>
  );
}
