import {
  type DashboardParameter,
  firstMapping,
  keptMappings,
  type ParameterMapping,
} from '@telltale/domain/dashboards/parameter-mapping.ts';
import type { NewWidget } from '@telltale/domain/dashboards/widget.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { Radio, Select } from 'antd';
import { useId, useState } from 'react';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/query.ts';
import { useCan, useSession } from '../../api/session.ts';
import { newPosition } from '../../grid/newPosition.ts';
import { liveType } from '../../grid/widgetPosition.ts';
import { type FoundQuery, useFoundQueries } from '../../queries/useFoundQueries.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Label } from '../../ui/Label.tsx';
import { notify } from '../../ui/notify.tsx';
import { Picker } from '../../ui/Picker.tsx';
import { findVisualization } from '../../visualizations/index.ts';
import { FollowedFields } from '../../visualizations/live-uplink/FollowedFields.tsx';
import type { Positions } from '../grid/layout.ts';
import { MappingTable } from '../parameters/MappingTable.tsx';
import styles from './Dialogs.module.css';

interface AddWidgetDialogProps {
  positions: Positions;
  /** The existing parameters of the dashboard. */
  parameters: readonly DashboardParameter[];
  onAdd: (widget: Omit<NewWidget, 'dashboard_id'>) => Promise<unknown>;
  onClose: () => void;
}

const kinds = [
  { value: 'query', label: 'Query' },
  { value: 'live', label: 'Live uplinks' },
];

/** D2 and screens 9.6: a query, one of its visualizations, and the sources of its parameters' values. Or devices, without a query. */
export default function AddWidgetDialog({ positions, parameters, onAdd, onClose }: AddWidgetDialogProps) {
  const can = useCan();
  const { user } = useSession();
  const mayFollow = can('view_channel');
  const [kind, setKind] = useState('query');
  const [live, setLive] = useState<{ channelid: string; device_ids: string[] }>({ channelid: '', device_ids: [] });
  const [term, setTerm] = useState('');
  const [chosen, setChosen] = useState<FoundQuery | null>(null);
  const found = useFoundQueries(term, user.id);
  const isPublishable = (query: FoundQuery) => can('edit_query') && (query.user?.id === user.id || can('admin'));
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
  const add = async () => {
    if (!visualization) return;
    if (detail?.is_draft) await publish(detail.id);
    await onAdd({
      visualization_id: visualization.id,
      width: 1,
      options: { position: newPosition(positions, visualization.type), isHidden: false, parameterMappings: keptMappings(mapped) },
    });
  };

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
    <Dialog
      title="Add Widget"
      okText={chosen?.is_draft ? 'Publish and add' : 'Add to Dashboard'}
      isOkDisabled={!visualization}
      onOk={add}
      onClose={onClose}
      width={700}
    >
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
          isRefused={(query) => query.is_draft && !isPublishable(query)}
          draw={({ name, is_draft }) => (
            <>
              {name} {is_draft && <Label>Unpublished</Label>}
            </>
          )}
        />
        {chosen?.is_draft && (
          <p className={styles.note}>This query is unpublished. It is published first, so that others can see it on the dashboard.</p>
        )}
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

async function publish(id: number): Promise<void> {
  try {
    await call(queriesApi.save, { params: { id }, body: { is_draft: false } });
  } catch (error) {
    notify.error('The query could not be published.', { description: error instanceof Error ? error.message : '' });
    throw error;
  }
}

function groupsOf(visualizations: readonly { id: number; type: string; name: string }[]) {
  const types = [...new Set(visualizations.map(({ type }) => type))];
  return types.map((type) => ({
    label: findVisualization(type)?.name ?? type,
    options: visualizations.filter((one) => one.type === type).map(({ id, name }) => ({ value: id, label: name })),
  }));
}
