import {
  type DashboardParameter,
  firstMapping,
  keptMappings,
  type ParameterMapping,
} from '@telltale/domain/dashboards/parameter-mapping.ts';
import type { NewWidget } from '@telltale/domain/dashboards/widget.ts';
import { type ListedQuery, queriesApi } from '@telltale/domain/queries/contract.ts';
import { Radio, Select } from 'antd';
import { useId, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { useCan } from '../../api/session.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Label } from '../../ui/Label.tsx';
import { findVisualization } from '../../visualizations/index.ts';
import { FollowedFields } from '../../visualizations/live-uplink/FollowedFields.tsx';
import type { Positions } from '../grid/layout.ts';
import { newPosition } from '../grid/newPosition.ts';
import { MappingTable } from '../parameters/MappingTable.tsx';
import { liveType } from '../shownWidget.ts';
import styles from './Dialogs.module.css';
import { Picker } from './Picker.tsx';

interface AddWidgetDialogProps {
  positions: Positions;
  /** That the dashboard has already. */
  parameters: readonly DashboardParameter[];
  onAdd: (widget: Omit<NewWidget, 'dashboard_id'>) => Promise<unknown>;
  onClose: () => void;
}

const kinds = [
  { value: 'query', label: 'Query' },
  { value: 'live', label: 'Live uplinks' },
];

/** D2 and screens 9.6: a query, one of its visualizations, and where its parameters get their values. Or devices, without a query. */
export default function AddWidgetDialog({ positions, parameters, onAdd, onClose }: AddWidgetDialogProps) {
  const mayFollow = useCan()('view_channel');
  const [kind, setKind] = useState('query');
  const [live, setLive] = useState<{ channelid: string; device_ids: string[] }>({ channelid: '', device_ids: [] });
  const [term, setTerm] = useState('');
  const [chosen, setChosen] = useState<Pick<ListedQuery, 'id' | 'name' | 'is_draft'> | null>(null);
  const found = useFoundQueries(term);
  const query = useRead(queriesApi.get, { params: { id: chosen?.id ?? 0 } }, { enabled: chosen !== null });
  const detail = chosen ? query.data : undefined;
  const [visualizationId, setVisualizationId] = useState<number | null>(null);
  const [mappings, setMappings] = useState<Record<string, ParameterMapping>>({});
  const visualization = detail?.visualizations.find(({ id }) => id === visualizationId) ?? detail?.visualizations[0];
  const definitions = detail?.options.parameters ?? [];
  const mapped = definitions.map((one) => mappings[one.name] ?? firstMapping(one, parameters));
  const selectId = useId();

  const choose = (item: typeof chosen) => {
    setChosen(item);
    setVisualizationId(null);
    setMappings({});
  };
  const add = () =>
    visualization &&
    onAdd({
      visualization_id: visualization.id,
      width: 1,
      options: { position: newPosition(positions, visualization.type), isHidden: false, parameterMappings: keptMappings(mapped) },
    });

  const kindChoice = mayFollow && (
    <Radio.Group aria-label="Show" optionType="button" value={kind} options={kinds} onChange={({ target }) => setKind(target.value)} />
  );
  if (kind === 'live') {
    const addLive = () => onAdd({ width: 1, options: { position: newPosition(positions, liveType), isHidden: false, live } });
    return (
      <Dialog
        title="Add Widget"
        okText="Add to Dashboard"
        isOkDisabled={live.device_ids.length === 0}
        onOk={addLive}
        onClose={onClose}
        width={700}
      >
        <div className={styles.stack}>
          {kindChoice}
          <FollowedFields {...live} isStrict onChange={setLive} />
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Add Widget" okText="Add to Dashboard" isOkDisabled={!visualization} onOk={add} onClose={onClose} width={700}>
      <div className={styles.stack}>
        {kindChoice}
        <Picker
          placeholder="Search a query by name"
          items={found.items}
          error={found.error}
          term={term}
          onTerm={setTerm}
          chosen={chosen}
          onChoose={choose}
          nameOf={({ name }) => name}
          isRefused={({ is_draft }) => is_draft}
          draw={({ name, is_draft }) => (
            <>
              {name} {is_draft && <Label>Unpublished</Label>}
            </>
          )}
        />
        {chosen && query.error && <ErrorState error={query.error} onRetry={query.refetch} />}
        {detail && (
          <div className={styles.field}>
            <label htmlFor={selectId}>Choose Visualization</label>
            <Select
              id={selectId}
              value={visualization?.id ?? null}
              onChange={setVisualizationId}
              options={groupsOf(detail.visualizations)}
              style={{ width: '100%' }}
            />
          </div>
        )}
        {mapped.length > 0 && (
          <div className={styles.field}>
            <span>Parameters</span>
            <MappingTable
              parameters={definitions}
              mappings={mapped}
              existing={parameters}
              onChange={(mapping) => setMappings((before) => ({ ...before, [mapping.name]: mapping }))}
            />
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** Screens 9.6: recent published ones first; drafts only where they are searched for, and not to be chosen. */
function useFoundQueries(term: string): { items: Pick<ListedQuery, 'id' | 'name' | 'is_draft'>[] | undefined; error: Error | null } {
  const recent = useRead(queriesApi.recent, {}, { enabled: term === '' });
  const some = useRead(
    queriesApi.list,
    { query: { q: term, page_size: 50, order: term ? undefined : '-created_at' } },
    { placeholderData: (before) => before },
  );
  const listed = some.data?.results;
  if (term !== '') return { items: listed, error: some.error };
  const all = recent.data && listed && [...recent.data, ...listed].filter(({ is_draft }) => !is_draft);
  const items = all?.filter(({ id }, at) => all.findIndex((one) => one.id === id) === at);
  return { items, error: recent.error ?? some.error };
}

function groupsOf(visualizations: readonly { id: number; type: string; name: string }[]) {
  const types = [...new Set(visualizations.map(({ type }) => type))];
  return types.map((type) => ({
    label: findVisualization(type)?.name ?? type,
    options: visualizations.filter((one) => one.type === type).map(({ id, name }) => ({ value: id, label: name })),
  }));
}
