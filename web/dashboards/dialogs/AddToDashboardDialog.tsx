import { type Dashboard, dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { dashboardParameters, firstMapping, keptMappings } from '@telltale/domain/dashboards/parameter-mapping.ts';
import { widgetsApi } from '@telltale/domain/dashboards/widget.ts';
import type { QueryParameter } from '@telltale/domain/parameters/contract.ts';
import type { Visualization } from '@telltale/domain/visualizations/contract.ts';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/query.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Label } from '../../ui/Label.tsx';
import { notify } from '../../ui/notify.tsx';
import { newPosition } from '../grid/newPosition.ts';
import { mappedOf, positionOfWidget } from '../shownWidget.ts';
import styles from './Dialogs.module.css';
import { Picker } from './Picker.tsx';

interface AddToDashboardDialogProps {
  visualization: Visualization;
  /** Of its query. */
  parameters: readonly QueryParameter[];
  onClose: () => void;
}

interface Listed {
  id: number;
  name: string;
  is_draft: boolean;
  tags: readonly string[];
}

/** Screens 7 and complaints 14, 15: own and recent dashboards first; success is told when it is there. */
export default function AddToDashboardDialog({ visualization, parameters, onClose }: AddToDashboardDialogProps) {
  const [term, setTerm] = useState('');
  const [chosen, setChosen] = useState<Listed | null>(null);
  const found = useFoundDashboards(term);

  const add = async () => {
    if (!chosen) return;
    try {
      const dashboard = await call(dashboardsApi.get, { params: { id: String(chosen.id) } });
      await call(widgetsApi.create, { body: widgetFor(dashboard, visualization, parameters) });
      notify.success(
        <>
          Widget added to dashboard <Link to={dashboard.url}>{dashboard.name}</Link>
        </>,
      );
    } catch (error) {
      notify.error('Widget not added.', { description: error instanceof Error ? error.message : '' });
      throw error;
    }
  };
  return (
    <Dialog title="Add to Dashboard" isOkDisabled={!chosen} onOk={add} onClose={onClose}>
      <div className={styles.stack}>
        <span>Choose the dashboard to add this query to:</span>
        <Picker<Listed>
          placeholder="Search a dashboard by name"
          items={found.items}
          error={found.error}
          term={term}
          onTerm={setTerm}
          chosen={chosen}
          onChoose={setChosen}
          nameOf={({ name }) => name}
          draw={({ name, is_draft, tags }) => (
            <>
              {name} {is_draft && <Label>Unpublished</Label>}
              {tags.map((tag) => (
                <Label key={tag}>{tag}</Label>
              ))}
            </>
          )}
        />
      </div>
    </Dialog>
  );
}

function widgetFor(dashboard: Dashboard, visualization: Visualization, parameters: readonly QueryParameter[]) {
  const seen = dashboard.widgets.filter(({ restricted }) => !restricted).map(mappedOf);
  const existing = dashboardParameters(seen);
  const positions = new Map(dashboard.widgets.map((widget) => [widget.id, positionOfWidget(widget)]));
  return {
    dashboard_id: dashboard.id,
    visualization_id: visualization.id,
    width: 1,
    options: {
      position: newPosition(positions, visualization.type),
      isHidden: false,
      parameterMappings: keptMappings(parameters.map((one) => firstMapping(one, existing))),
    },
  };
}

function useFoundDashboards(term: string): { items: Listed[] | undefined; error: Error | null } {
  const own = useRead(dashboardsApi.my, { query: { page_size: 20, order: '-created_at' } }, { enabled: term === '' });
  const recent = useRead(dashboardsApi.recent, {}, { enabled: term === '' });
  const some = useRead(
    dashboardsApi.list,
    { query: { q: term, page_size: 50 } },
    { enabled: term !== '', placeholderData: (before) => before },
  );
  if (term !== '') return { items: some.data?.results, error: some.error };
  const all = own.data && recent.data && [...own.data.results, ...recent.data];
  return { items: all?.filter(({ id }, at) => all.findIndex((one) => one.id === id) === at), error: own.error ?? recent.error };
}
