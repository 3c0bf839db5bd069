import { StarButton } from '../ui/StarButton.tsx';
import { useFavorite } from './useQueryWrites.ts';

export function FavoriteStar({ query }: { query: { id: number; name: string; is_favorite: boolean } }) {
  const favorite = useFavorite();
  return <StarButton name={query.name} isFavorite={query.is_favorite} onToggle={(is) => favorite.toggle(query.id, is)} />;
}
