import styles from './AlertsPage.module.css';

/** Screens 11: a bell with the title "Muted" (crossed out) or "Active". */
export function MutedBell({ isMuted }: { isMuted: boolean }) {
  const title = isMuted ? 'Muted' : 'Active';
  return (
    <span className={`${styles.bell} ${isMuted ? styles.muted : ''}`} title={title}>
      <svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" aria-hidden>
        <path d="M3 11.5h10c-1.2-1-1.4-2-1.4-4.4a3.6 3.6 0 0 0-7.2 0c0 2.4-.2 3.4-1.4 4.4zM6.8 13.8h2.4" strokeLinejoin="round" />
        {isMuted && <path d="M2.2 2.2l11.6 11.6" />}
      </svg>
      <span className="visually-hidden">{title}</span>
    </span>
  );
}
