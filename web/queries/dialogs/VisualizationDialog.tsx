import type { ResultData } from '@telltale/domain/results/contract.ts';
import { type Visualization, visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import { Input, Select } from 'antd';
import { useId, useState } from 'react';
import { recordEvent } from '../../api/events.ts';
import { useWrite } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { notify } from '../../ui/notify.tsx';
import type { StoredOptions } from '../../visualizations/define.ts';
import { findVisualization, offeredVisualizations } from '../../visualizations/index.ts';
import { isDeepEqual } from '../../visualizations/isDeepEqual.ts';
import { VisualizationEditor } from '../../visualizations/VisualizationEditor.tsx';
import { VisualizationRenderer } from '../../visualizations/VisualizationRenderer.tsx';
import styles from './VisualizationDialog.module.css';

interface Draft {
  type: string;
  name: string;
  options: StoredOptions;
}

interface VisualizationDialogProps {
  queryId: number;
  /** Null for a new one. */
  visualization: Visualization | null;
  data: ResultData;
  onSaved: (visualization: Visualization) => void;
  onClose: () => void;
}

const words = { saved: 'Visualization saved', failed: 'Visualization could not be saved' } as const;

/** Screens 7: what it is, how it looks, and the picture itself beside it. */
export default function VisualizationDialog({ queryId, visualization, data, onSaved, onClose }: VisualizationDialogProps) {
  const { client_config } = useSession();
  const id = useId();
  const kinds = offeredVisualizations();
  const first = kinds[0];
  const [start] = useState<Draft>(visualization ?? { type: first?.type ?? 'TABLE', name: first?.name ?? 'Table', options: {} });
  const [draft, setDraft] = useState<Draft>(start);
  const create = useWrite(visualizationsApi.create, words);
  const save = useWrite(visualizationsApi.save, words);
  const choices = kinds.some(({ type }) => type === draft.type) ? kinds : [...kinds, { type: draft.type, name: draft.type }];

  const setType = (type: string) => {
    const before = findVisualization(draft.type)?.name;
    const isOwnName = draft.name !== before;
    setDraft({ type, name: isOwnName ? draft.name : (findVisualization(type)?.name ?? type), options: {} });
  };
  const store = async () => {
    if (draft.name.trim() === '') {
      notify.error('A visualization needs a name.');
      throw new Error('no name');
    }
    const kind = findVisualization(draft.type);
    const fields = { type: draft.type, name: draft.name.trim(), options: kind ? kind.optionsToSave(draft.options) : draft.options };
    const reply = visualization
      ? await save.mutateAsync({ params: { id: visualization.id }, body: fields })
      : await create.mutateAsync({ body: { ...fields, query_id: queryId } });
    recordEvent(visualization ? 'update' : 'create', 'visualization', reply.id, { type: reply.type });
    onSaved(reply);
  };

  /** Q4 */
  const mayClose = () => {
    const isSame = draft.type === start.type && draft.name === start.name && isDeepEqual(draft.options, start.options);
    if (isSame) return true;
    return confirm({
      title: 'Visualization Editor',
      content: 'Are you sure you want to close the editor without saving?',
      okText: 'Close without saving',
      cancelText: 'Go on editing',
      danger: true,
    });
  };

  return (
    <Dialog title="Visualization Editor" width="min(1280px, 94vw)" okText="Save" onOk={store} mayClose={mayClose} onClose={onClose}>
      <div className={styles.layout}>
        <div className={styles.form}>
          <label className={styles.field} htmlFor={`${id}-type`}>
            Visualization Type
            <Select
              id={`${id}-type`}
              value={draft.type}
              disabled={visualization !== null}
              options={choices.map(({ type, name }) => ({ value: type, label: name }))}
              onChange={setType}
            />
          </label>
          <label className={styles.field} htmlFor={`${id}-name`}>
            Visualization Name
            <Input
              id={`${id}-name`}
              value={draft.name}
              maxLength={255}
              onChange={({ target }) => setDraft({ ...draft, name: target.value })}
            />
          </label>
          <VisualizationEditor
            visualization={draft}
            data={data}
            settings={client_config}
            onOptionsChange={(options) => setDraft((before) => ({ ...before, options }))}
          />
        </div>
        <div className={styles.preview}>
          <VisualizationRenderer
            visualization={draft}
            data={data}
            settings={client_config}
            onOptionsChange={(options) => setDraft((before) => ({ ...before, options }))}
          />
        </div>
      </div>
    </Dialog>
  );
}
