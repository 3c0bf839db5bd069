import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { type Dashboard, dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { dashboardParameters, firstMapping, keptMappings, mappedOf } from '@telltale/domain/dashboards/parameter-mapping.ts';
import { widgetsApi } from '@telltale/domain/dashboards/widget.ts';
import type { QueryParameter } from '@telltale/domain/parameters/contract.ts';
import type { Visualization } from '@telltale/domain/visualizations/contract.ts';
import { Button, Input } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/query.ts';
import { useCan } from '../../api/session.ts';
import { newPosition } from '../../grid/newPosition.ts';
import { positionOfWidget } from '../../grid/widgetPosition.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Label } from '../../ui/Label.tsx';
import { notify } from '../../ui/notify.tsx';
import { ChosenRow, Picker } from '../../ui/Picker.tsx';
import styles from './AddToDashboardDialog.module.css';

interface AddToDashboardDialogProps {
  visualization: Visualization;
  /** The parameters of its query. */
  parameters: readonly QueryParameter[];
  /** The proposed name of a new dashboard. */
  queryName: string;
  onClose: () => void;
}

interface Listed {
  id: number;
  name: string;
  is_draft: boolean;
  tags: readonly string[];
}

/** Screens 7 and complaints 14, 15: own and recent dashboards first; the success is notified when the widget is there. */
export default function AddToDashboardDialog({ visualization, parameters, queryName, onClose }: AddToDashboardDialogProps) {
  const [term, setTerm] = useState('');
  const [chosen, setChosen] = useState<Listed | null>(null);
  /** The name of the dashboard to create; null where one is chosen from the list. */
  const [newName, setNewName] = useState<string | null>(null);
  const canCreate = useCan()('create_dashboard');
  const isNamed = newName !== null && newName.trim() !== '';
  const found = useFoundDashboards(term);

  const add = async () => {
    try {
      const made = isNamed ? await call(dashboardsApi.create, { body: { name: newName.trim() } }) : chosen;
      if (!made) return;
      const dashboard = await call(dashboardsApi.get, { params: { id: String(made.id) } });
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
    <Dialog
      title="Add to Dashboard"
      {...(newName !== null && { okText: 'Create and add' })}
      isOkDisabled={newName === null ? !chosen : !isNamed}
      onOk={add}
      onClose={onClose}
    >
      <div className={styles.stack}>
        {newName === null ? (
          <span>Choose the dashboard to add this query to:</span>
        ) : (
          <ChosenRow>
            <Input
              autoFocus
              aria-label="Dashboard Name"
              placeholder="Dashboard Name"
              value={newName}
              maxLength={100}
              autoComplete="off"
              onChange={({ target }) => setNewName(target.value)}
            />
            <Button type="text" size="small" onClick={() => setNewName(null)}>
              Choose one instead
            </Button>
          </ChosenRow>
        )}
        {newName === null && canCreate && !chosen && (
          <div>
            <Button icon={<PlusOutlined />} onClick={() => setNewName(queryName)}>
              New dashboard…
            </Button>
          </div>
        )}
        {newName === null && (
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
        )}
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
  const recent = useRead(dashboardsApi.recent, { query: { page_size: 20 } }, { enabled: term === '' });
  const some = useRead(
    dashboardsApi.list,
    { query: { q: term, page_size: 50 } },
    { enabled: term !== '', placeholderData: (before) => before },
  );
  if (term !== '') return { items: some.data?.results, error: some.error };
  const all = own.data && recent.data && [...own.data.results, ...recent.data.results];
  return { items: all?.filter(({ id }, at) => all.findIndex((one) => one.id === id) === at), error: own.error ?? recent.error };
}
