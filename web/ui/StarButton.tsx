import StarFilled from '@ant-design/icons/StarFilled';
import StarOutlined from '@ant-design/icons/StarOutlined';
import { useState } from 'react';
import styles from './StarButton.module.css';

interface StarButtonProps {
  /** The name of the starred object. */
  name: string;
  isFavorite: boolean;
  /** The flag flips after the server has answered (Q4, screens 4). */
  onToggle: (isFavorite: boolean) => Promise<unknown>;
}

export function StarButton({ name, isFavorite, onToggle }: StarButtonProps) {
  const [flag, setFlag] = useState({ from: isFavorite, is: isFavorite });
  const [isBusy, setBusy] = useState(false);
  if (flag.from !== isFavorite) setFlag({ from: isFavorite, is: isFavorite });
  const title = flag.is ? 'Remove from favorites' : 'Add to favorites';
  const toggle = async () => {
    setBusy(true);
    try {
      await onToggle(flag.is);
      setFlag({ from: isFavorite, is: !flag.is });
    } catch {
      // The writing code notifies of its failure.
    } finally {
      setBusy(false);
    }
  };
  return (
    <button
      type="button"
      className={styles.star}
      title={title}
      aria-label={`${title}: ${name}`}
      aria-pressed={flag.is}
      disabled={isBusy}
      onClick={() => void toggle()}
    >
      {flag.is ? <StarFilled aria-hidden /> : <StarOutlined aria-hidden />}
    </button>
  );
}
