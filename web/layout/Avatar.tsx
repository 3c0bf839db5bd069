import { useState } from 'react';
import styles from './Avatar.module.css';

/** A picture of somebody, or their initials where there is none or it does not load. The name stands beside it. */
export function Avatar({ name, imageUrl, size = 24 }: { name: string; imageUrl: string; size?: number }) {
  const [isBroken, setBroken] = useState(false);
  return (
    <span className={styles.avatar} style={{ width: size, height: size, fontSize: Math.max(12, Math.round(size * 0.42)) }} aria-hidden>
      {imageUrl && !isBroken ? (
        <img src={imageUrl} alt="" width={size} height={size} referrerPolicy="no-referrer" onError={() => setBroken(true)} />
      ) : (
        initialsOf(name)
      )}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words;
  return picked
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
