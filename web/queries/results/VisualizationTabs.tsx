import type { Query } from '@telltale/domain/queries/contract.ts';
import { type Visualization, visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useWrite } from '../../api/query.ts';
import { useInlineEdit } from '../../ui/InlineEdit.tsx';
import type { EditedQuery } from '../useEditedQuery.ts';
import { activeVisualization } from './activeVisualization.ts';
import { placedBeside, tabStep } from './tabOrder.ts';
import styles from './VisualizationTabs.module.css';

interface VisualizationTabsProps {
  query: Pick<Query, 'id' | 'visualizations'>;
  canEdit: boolean;
  setSaved: EditedQuery['setSaved'];
}

/** Where a dragged tab would be dropped. */
interface DropPlace {
  beside: number;
  isAfter: boolean;
}

/** Screens 5.9: a tab for each visualization; the first has no hash. Complaint 13: editors rename and move them in place. */
export function VisualizationTabs({ query, canEdit, setSaved }: VisualizationTabsProps) {
  const all = query.visualizations;
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  const { active } = activeVisualization(all, hash);
  const save = useWrite(visualizationsApi.save, { saved: 'Visualization saved', failed: 'Visualization could not be saved' });
  const order = useWrite(visualizationsApi.order);
  const lastOrder = useRef<Promise<unknown>>(Promise.resolve());
  const [dragged, setDragged] = useState<number | null>(null);
  const [drop, setDrop] = useState<DropPlace | null>(null);
  const [said, say] = useState('');

  const change = (next: (tabs: readonly Visualization[]) => readonly Visualization[]) =>
    setSaved((before) => before && { ...before, visualizations: [...next(before.visualizations)] });
  const rename = async (id: number, name: string) => {
    const reply = await save.mutateAsync({ params: { id }, body: { name } });
    change((tabs) => tabs.map((one) => (one.id === id ? { ...one, name: reply.name } : one)));
  };
  const arrange = (tabs: readonly Visualization[]) => {
    const places = new Map(tabs.map(({ id }, at) => [id, at]));
    change((now) => now.toSorted((a, b) => (places.get(a.id) ?? now.length) - (places.get(b.id) ?? now.length)));
  };
  const move = ({ id, name }: Visualization, { beside, isAfter }: DropPlace) => {
    const next = placedBeside(all, id, beside, isAfter);
    if (next === all) return;
    // Without a hash the first tab is shown, and that may be another afterwards. The active one gets its hash before anything moves.
    if (active) navigate({ search, hash: `#${active.id}` }, { replace: true, preventScrollReset: true, flushSync: true });
    arrange(next);
    say(`${name} is now ${next.findIndex((one) => one.id === id) + 1} of ${next.length}.`);
    const body = { ids: next.map((one) => one.id) };
    // One after the other: two requests at once may arrive in either order, and the earlier would win.
    lastOrder.current = lastOrder.current.then(() => order.mutateAsync({ params: { id: query.id }, body })).catch(() => arrange(all));
  };
  const stopDragging = () => {
    setDragged(null);
    setDrop(null);
  };
  const grip = (tab: Visualization, at: number): TabGrip => ({
    onDragStart: (event) => {
      // A link carries its address, which the editor of the query would take as text.
      event.dataTransfer.clearData();
      event.dataTransfer.setData('application/x-telltale-tab', String(tab.id));
      event.dataTransfer.effectAllowed = 'move';
      setDragged(tab.id);
    },
    onDragOver: (event) => {
      if (dragged === null) return;
      event.preventDefault();
      const { left, width } = event.currentTarget.getBoundingClientRect();
      const isAfter = event.clientX > left + width / 2;
      if (drop?.beside !== tab.id || drop.isAfter !== isAfter) setDrop({ beside: tab.id, isAfter });
    },
    onDrop: (event) => {
      event.preventDefault();
      const moved = all.find(({ id }) => id === dragged);
      if (moved && drop) move(moved, drop);
      stopDragging();
    },
    onDragEnd: stopDragging,
    onStep: (step) => {
      const neighbour = all[at + step];
      if (neighbour) move(tab, { beside: neighbour.id, isAfter: step > 0 });
    },
    onRename: (name) => rename(tab.id, name),
  });

  return (
    <nav className={styles.tabs} aria-label="Visualizations">
      {all.map((tab, at) => (
        <Tab
          key={tab.id}
          name={tab.name}
          to={{ search, hash: at === 0 ? '' : `#${tab.id}` }}
          isActive={tab.id === active?.id}
          drop={drop?.beside === tab.id && dragged !== tab.id ? (drop.isAfter ? 'after' : 'before') : undefined}
          grip={canEdit ? grip(tab, at) : null}
        />
      ))}
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </nav>
  );
}

/** What editors do with a tab. */
interface TabGrip {
  onDragStart: (event: DragEvent) => void;
  onDragOver: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
  onDragEnd: () => void;
  onStep: (step: -1 | 1) => void;
  onRename: (name: string) => Promise<void>;
}

interface TabProps {
  name: string;
  to: { search: string; hash: string };
  isActive: boolean;
  drop: 'before' | 'after' | undefined;
  grip: TabGrip | null;
}

function Tab({ name, to, isActive, drop, grip }: TabProps) {
  const { shown, editor, start } = useInlineEdit<HTMLAnchorElement>({
    value: name,
    label: 'Visualization Name',
    onSave: (next) => grip?.onRename(next),
    ignoreBlanks: true,
    maxLength: 255,
  });
  if (editor) return <span className={styles.editor}>{editor}</span>;
  const link = {
    ref: shown,
    className: styles.tab,
    to,
    preventScrollReset: true,
    'aria-current': isActive ? ('page' as const) : undefined,
  };
  if (!grip) return <Link {...link}>{name}</Link>;
  const { onStep, onRename: _, ...dragging } = grip;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = tabStep(event);
    if (step === null && event.key !== 'F2') return;
    event.preventDefault();
    if (step === null) start();
    else onStep(step);
  };
  return (
    <Link
      {...link}
      {...dragging}
      data-drop={drop}
      title="Double-click or F2 to rename, drag or Alt+Shift+arrow to move"
      aria-keyshortcuts="F2 Alt+Shift+ArrowLeft Alt+Shift+ArrowRight"
      onDoubleClick={start}
      onKeyDown={onKeyDown}
    >
      {name}
    </Link>
  );
}
