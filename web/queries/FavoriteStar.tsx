import StarFilled from '@ant-design/icons/StarFilled';
import StarOutlined from '@ant-design/icons/StarOutlined';
import { useState } from 'react';
import styles from './FavoriteStar.module.css';
import { useFavorite } from './useQueryWrites.ts';

/** Screens 4: flips after the server has answered. */
export function FavoriteStar({ query }: { query: { id: number; name: string; is_favorite: boolean } }) {
  const [flag, setFlag] = useState({ from: query.is_favorite, is: query.is_favorite });
  if (flag.from !== query.is_favorite) setFlag({ from: query.is_favorite, is: query.is_favorite });
  const favorite = useFavorite((is) => setFlag({ from: query.is_favorite, is }));
  const title = flag.is ? 'Remove from favorites' : 'Add to favorites';
  return (
    <button
      type="button"
      className={styles.star}
      title={title}
      aria-label={`${title}: ${query.name}`}
      aria-pressed={flag.is}
      disabled={favorite.isPending}
      onClick={() => favorite.toggle(query.id, flag.is)}
    >
      {flag.is ? <StarFilled aria-hidden /> : <StarOutlined aria-hidden />}
    </button>
  );
}
