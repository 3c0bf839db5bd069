import { dashboardFavoriteApi } from '@telltale/domain/dashboards/contract.ts';
import { useWrite } from '../api/query.ts';
import { StarButton } from '../ui/StarButton.tsx';
import { dashboardLists } from './useDashboard.ts';

export function DashboardStar({ dashboard }: { dashboard: { id: number; name: string; is_favorite: boolean } }) {
  const { id, name, is_favorite } = dashboard;
  const add = useWrite(dashboardFavoriteApi.add, { refresh: dashboardLists });
  const remove = useWrite(dashboardFavoriteApi.remove, { refresh: dashboardLists });
  return <StarButton name={name} isFavorite={is_favorite} onToggle={(is) => (is ? remove : add).mutateAsync({ params: { id } })} />;
}
