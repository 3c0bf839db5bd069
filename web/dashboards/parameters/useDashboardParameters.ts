import type { DashboardOptions } from '@telltale/domain/dashboards/options.ts';
import { dashboardParameters, mappedOf } from '@telltale/domain/dashboards/parameter-mapping.ts';
import type { QueryParameter } from '@telltale/domain/parameters/contract.ts';
import { useMemo } from 'react';
import { useParameterValues } from '../../queries/parameters/useParameterValues.ts';
import type { ShownWidget } from '../shownWidget.ts';

/**
 * Screens 9.5: one parameter for each keyword that widgets are mapped to. The address wins, then the dashboard's value, then the query's.
 */
export function useDashboardParameters(widgets: readonly ShownWidget[], options: DashboardOptions) {
  const parameters = useMemo(
    () => dashboardParameters(widgets.filter(({ restricted }) => !restricted).map(mappedOf), options.globalParamOrder),
    [widgets, options.globalParamOrder],
  );
  const definitions = useMemo(() => {
    const queryOf = new Map(widgets.map(({ id, visualization }) => [id, visualization?.query.id]));
    return parameters.map(({ name, definition, widgets: users }): QueryParameter => {
      const kept = options.parameters?.find((one) => one.name === name);
      const start = kept && kept.value !== undefined ? { default: kept.value } : {};
      return { ...definition, ...start, parentQueryId: queryOf.get(users[0]?.widget.id ?? 0) ?? null };
    });
  }, [parameters, widgets, options.parameters]);
  return { parameters, definitions, state: useParameterValues(definitions, true) };
}
