import { type Annotation, annotationsApi, annotationText } from '@telltale/domain/dashboards/annotations.ts';
import { useRead, useWrite } from '../../api/query.ts';
import { askOften, untilOf, useAnnotationSpan } from '../../embed/publicMarks.ts';
import { notifyWithUndo } from '../../ui/notifyWithUndo.tsx';
import type { TimeMark } from '../../visualizations/chart/ChartMarks.tsx';

/** Notes and alerts of the last year; a chart shows those that lie in its time. */
export function useAnnotations(dashboardId: number): readonly Annotation[] {
  const query = useAnnotationSpan();
  return useRead(annotationsApi.list, { params: { id: dashboardId }, query }, askOften).data ?? none;
}

const none: readonly never[] = [];

const tones = { triggered: 'danger', ok: 'ok', unknown: 'muted' } as const;

export const markOf = (one: Annotation): TimeMark => ({
  key: `${one.kind} ${one.id ?? one.alert_id} ${one.at} ${one.text}`,
  at: Date.parse(one.at),
  until: untilOf(one.until),
  text: annotationText(one) + (one.user_name ? ` (${one.user_name})` : ''),
  tone: one.kind === 'alert' ? tones[one.state ?? 'unknown'] : 'note',
});

const failed = false;
const refresh = [annotationsApi.list];
export const useAddAnnotation = () => useWrite(annotationsApi.create, { refresh, saved: 'Annotation added', failed });
export const useSaveAnnotation = () => useWrite(annotationsApi.save, { refresh, saved: 'Annotation saved', failed });

/** Deletes a note at once; Undo notes it again. */
export function useRemoveAnnotation(dashboardId: number): (note: Annotation) => void {
  const params = { id: dashboardId };
  const add = useWrite(annotationsApi.create, { refresh, failed: 'Annotation could not be saved' });
  const remove = useWrite(annotationsApi.remove, { refresh, failed: 'Annotation could not be deleted' });
  return ({ id, at, until, text }) =>
    remove.mutate(
      { params: { ...params, annotationId: id ?? 0 } },
      { onSuccess: () => notifyWithUndo('success', 'Annotation deleted', () => add.mutate({ params, body: { at, until, text } })) },
    );
}
