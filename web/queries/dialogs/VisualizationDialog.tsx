import type { ColumnDisplay } from '@telltale/domain/channels/attribute-display.ts';
import type { ResultData } from '@telltale/domain/results/contract.ts';
import { type Visualization, visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import { Button, Input, Select } from 'antd';
import { useMemo, useRef, useState } from 'react';
import { recordEvent } from '../../api/events.ts';
import { useWrite } from '../../api/query.ts';
import { confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import type { StoredOptions } from '../../visualizations/define.ts';
import { type Draft, draftFault, draftToStore, kindChoices, newDraft, withType } from '../../visualizations/draft.ts';
import { Field } from '../../visualizations/editor/Field.tsx';
import { isDeepEqual } from '../../visualizations/isDeepEqual.ts';
import { KindPicture } from '../../visualizations/KindPicture.tsx';
import { suggestedPicture } from '../../visualizations/suggestion.ts';
import { VisualizationEditor } from '../../visualizations/VisualizationEditor.tsx';
import { VisualizationRenderer } from '../../visualizations/VisualizationRenderer.tsx';
import { useDrawnSettings } from '../results/useDrawnSettings.ts';
import styles from './VisualizationDialog.module.css';

interface VisualizationDialogProps {
  queryId: number;
  /** Null for a new one. */
  visualization: Visualization | null;
  data: ResultData;
  columnDisplay?: ColumnDisplay | undefined;
  onSaved: (visualization: Visualization) => void;
  onClose: () => void;
}

const words = { saved: 'Visualization saved', failed: 'Visualization could not be saved' } as const;

/** Screens 7: what it is, how it looks, and the picture itself beside it. */
export default function VisualizationDialog({ queryId, visualization, data, columnDisplay, onSaved, onClose }: VisualizationDialogProps) {
  const settings = useDrawnSettings(columnDisplay);
  const [start] = useState<Draft>(() => visualization ?? newDraft(data.columns));
  const [draft, setDraft] = useState<Draft>(start);
  const create = useWrite(visualizationsApi.create, words);
  const save = useWrite(visualizationsApi.save, words);
  const fault = draftFault(draft);
  const earlier = useRef(new Map<string, StoredOptions>());
  const changeType = (type: string) =>
    setDraft((before) => {
      earlier.current.set(before.type, before.options);
      return withType(before, type, data.columns, earlier.current.get(type));
    });
  const suggested = useMemo(() => suggestedPicture(data), [data]);
  const isSuggested =
    suggested?.type === draft.type &&
    (draft.options.globalSeriesType ?? suggested.options.globalSeriesType) === suggested.options.globalSeriesType;
  const isTypeFixed = visualization !== null;
  const suggestion = isSuggested || (isTypeFixed && suggested?.type !== draft.type) ? null : suggested;
  const takeSuggestion = () => {
    if (!suggested) return;
    setDraft((before) => ({ ...withType(before, suggested.type, data.columns), options: suggested.options }));
  };
  const setOptions = (options: StoredOptions) => setDraft((before) => ({ ...before, options }));

  const store = async () => {
    const fields = draftToStore(draft, { data, settings });
    const reply = visualization
      ? await save.mutateAsync({ params: { id: visualization.id }, body: fields })
      : await create.mutateAsync({ body: { ...fields, query_id: queryId } });
    recordEvent(visualization ? 'update' : 'create', 'visualization', reply.id, { type: reply.type });
    onSaved(reply);
  };

  /** Q4, visualizations 3 */
  const mayClose = () => {
    const isSame = draft.type === start.type && draft.name === start.name && isDeepEqual(draft.options, start.options);
    if (isSame) return true;
    return confirm({
      title: 'Visualization Editor',
      content: 'Are you sure you want to close the editor without saving?',
      okText: 'Yes',
      cancelText: 'No',
      danger: true,
    });
  };

  return (
    <Dialog
      title="Visualization Editor"
      isFullScreen
      okText="Save"
      isOkDisabled={fault !== null}
      note={fault && <span className={styles.fault}>{fault}</span>}
      onOk={store}
      mayClose={mayClose}
      onClose={onClose}
    >
      <div className={styles.layout}>
        <div className={styles.form}>
          <Field label="Visualization Type">
            {(id) => (
              <Select
                id={id}
                value={draft.type}
                disabled={isTypeFixed}
                options={kindChoices(draft.type)}
                listHeight={420}
                optionRender={({ value, label }) => (
                  <span className={styles.kind}>
                    <KindPicture type={String(value)} />
                    {label}
                  </span>
                )}
                onChange={changeType}
              />
            )}
          </Field>
          {suggestion && (
            <div className={styles.suggestion}>
              <KindPicture type={suggestion.type} />
              <span>
                Suggested for this result: <strong>{suggestion.title}</strong>
              </span>
              <Button size="small" onClick={takeSuggestion}>
                Use it
              </Button>
            </div>
          )}
          <Field label="Visualization Name">
            {(id) => (
              <Input
                id={id}
                value={draft.name}
                maxLength={255}
                onChange={({ target }) => setDraft((before) => ({ ...before, name: target.value }))}
              />
            )}
          </Field>
          <VisualizationEditor visualization={draft} data={data} settings={settings} onOptionsChange={setOptions} />
        </div>
        <div className={styles.preview}>
          <VisualizationRenderer visualization={draft} data={data} settings={settings} onOptionsChange={setOptions} />
        </div>
      </div>
    </Dialog>
  );
}
