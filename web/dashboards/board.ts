import type { FullPosition } from '@telltale/domain/dashboards/grid.ts';
import type { DashboardParameter } from '@telltale/domain/dashboards/parameter-mapping.ts';
import { createContext, useContext } from 'react';
import type { Values } from '../queries/parameters/parameterValues.ts';
import type { FilterChoices } from '../visualizations/filters/resultFilters.ts';
import type { WidgetRuns } from './runs/WidgetRuns.ts';
import type { ShownWidget } from './shownWidget.ts';

/** The actions of editors on a widget. */
interface WidgetActions {
  remove: (widget: ShownWidget) => void;
  editText: (widget: ShownWidget) => void;
  editLive: (widget: ShownWidget) => void;
  editParameters: (widget: ShownWidget) => void;
  setFollowing: (widget: ShownWidget, follows_readings: boolean) => void;
}

/** The state that the widgets of one dashboard share. */
export interface Board {
  runs: WidgetRuns;
  parameters: readonly DashboardParameter[];
  /** Values of the dashboard's parameters. */
  values: Values;
  /** Choices in the dashboard's filters; the same object until they change. */
  imposed: FilterChoices;
  /** Changed values of parameters are applied by themselves. */
  appliesAtOnce: boolean;
  isPublic: boolean;
  isEditing: boolean;
  /** Undefined for viewers. */
  actions: WidgetActions | undefined;
  onHeight: (id: number, height: number) => void;
  positionOf: (id: number) => FullPosition | undefined;
}

export const BoardContext = createContext<Board | null>(null);

export function useBoard(): Board {
  const board = useContext(BoardContext);
  if (!board) throw new Error('useBoard() was called outside of a dashboard.');
  return board;
}
