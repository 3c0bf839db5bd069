import ArrowDownOutlined from '@ant-design/icons/ArrowDownOutlined';
import ArrowUpOutlined from '@ant-design/icons/ArrowUpOutlined';
import { Button } from 'antd';
import { type ShownWidget, titleOfWidget } from '../shownWidget.ts';
import styles from './Grid.module.css';
import { exchanged, inReadingOrder, type Positions } from './layout.ts';

interface ReorderListProps {
  widgets: readonly ShownWidget[];
  positions: Positions;
  onMove: (positions: Positions, id: number) => void;
}

/** Complaint 30: in a single column, widgets swap places with the one before or after. Wide screens show the same order. */
export function ReorderList({ widgets, positions, onMove }: ReorderListProps) {
  const byId = new Map(widgets.map((widget) => [widget.id, widget]));
  const order = inReadingOrder(positions).flatMap(([id]) => byId.get(id) ?? []);
  const move = (at: number, by: 1 | -1) => {
    const [one, other] = [order[at], order[at + by]];
    if (one && other) onMove(exchanged(positions, one.id, other.id), one.id);
  };
  return (
    <ol className={styles.order}>
      {order.map((widget, at) => {
        const name = nameOf(widget);
        return (
          <li key={widget.id}>
            <span>{name}</span>
            <Button icon={<ArrowUpOutlined />} aria-label={`Move ${name} up`} disabled={at === 0} onClick={() => move(at, -1)} />
            <Button
              icon={<ArrowDownOutlined />}
              aria-label={`Move ${name} down`}
              disabled={at === order.length - 1}
              onClick={() => move(at, 1)}
            />
          </li>
        );
      })}
    </ol>
  );
}

/** Text boxes are named by their first words. */
function nameOf(widget: ShownWidget): string {
  const [line] = (widget.text ?? '')
    .replaceAll(/[#*_>`|-]/g, '')
    .trim()
    .split('\n', 1);
  return widget.visualization || widget.restricted ? titleOfWidget(widget) : line?.trim().slice(0, 60) || titleOfWidget(widget);
}
