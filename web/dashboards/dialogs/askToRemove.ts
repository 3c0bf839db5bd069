import type { NewWidget, Widget } from '@telltale/domain/dashboards/widget.ts';
import { confirm } from '../../ui/confirm.tsx';
import { notifyWithUndo } from '../../ui/notifyWithUndo.tsx';
import { titleOfWidget } from '../shownWidget.ts';

/** Screens 9.4 and complaint 24: asks first, and offers an undo afterwards. */
export async function askToRemove(
  widget: Widget,
  remove: (widget: Widget) => Promise<unknown>,
  add: (widget: Omit<NewWidget, 'dashboard_id'>) => Promise<unknown>,
): Promise<void> {
  const isRemoved = await confirm({
    title: 'Delete Widget',
    content: 'Are you sure you want to remove this widget from the dashboard?',
    okText: 'Delete',
    danger: true,
    onOk: () => remove(widget),
  });
  if (!isRemoved) return;
  const { text, options, visualization, width, restricted } = widget;
  // A restricted widget cannot be added again by this user, so there is no undo.
  if (restricted) return;
  const copy = { text: text ?? '', options, width: Math.min(Math.max(1, width), 6), visualization_id: visualization?.id ?? null };
  notifyWithUndo('success', `“${titleOfWidget(widget)}” was removed.`, () => add(copy).catch(() => {}));
}
