import CloseOutlined from '@ant-design/icons/CloseOutlined';
import EllipsisOutlined from '@ant-design/icons/EllipsisOutlined';
import HolderOutlined from '@ant-design/icons/HolderOutlined';
import { Button, type MenuProps } from 'antd';
import { type ReactNode, useRef } from 'react';
import { useNudgeKeys } from '../../grid/nudge.ts';
import { MenuButton } from '../../ui/MenuButton.tsx';
import { useBoard } from '../board.ts';
import { useNearness } from '../runs/useWidgetRun.ts';
import { type ShownWidget, titleOfWidget } from '../shownWidget.ts';
import { useFitHeight } from './useFitHeight.ts';
import styles from './Widget.module.css';

type Items = NonNullable<MenuProps['items']>;

interface WidgetFrameProps {
  widget: ShownWidget;
  heading?: ReactNode;
  /** The state of the run, beside the menu. */
  state?: ReactNode;
  /** Menu entries before "Remove from Dashboard". */
  menu?: Items;
  footer?: ReactNode;
  children: ReactNode;
}

/** The frame of every widget: a handle, a menu, and the height that it needs or was given. */
export function WidgetFrame({ widget, heading, state, menu = [], footer, children }: WidgetFrameProps) {
  const { isEditing, actions, positionOf, onHeight } = useBoard();
  const frame = useRef<HTMLElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const title = titleOfWidget(widget);
  const isFitted = positionOf(widget.id)?.autoHeight ?? false;
  const onKeyDown = useNudgeKeys(widget.id);
  useNearness(widget.id, frame);
  useFitHeight(inner, isFitted, (height) => onHeight(widget.id, height));

  const remove = actions && { key: 'remove', label: 'Remove from Dashboard', danger: true, onClick: () => actions.remove(widget) };
  const items: Items = [...menu, ...(remove ? [...(menu.length > 0 ? [{ type: 'divider' as const }] : []), remove] : [])];
  const isPlain = !heading && !isEditing;
  return (
    <article ref={frame} className={styles.widget} aria-label={title} data-fitted={isFitted ? '' : undefined}>
      <div ref={inner} className={styles.inner}>
        <div className={styles.content} data-content="">
          <header className={`${styles.head} ${isPlain ? styles.floating : ''}`}>
            {isEditing && (
              <button
                type="button"
                data-move=""
                className={styles.grip}
                aria-label={`Move ${title}`}
                title="Drag, or use the arrow keys; with Shift they change the size"
                onKeyDown={onKeyDown}
              >
                <HolderOutlined aria-hidden />
              </button>
            )}
            <div className={styles.heading}>{heading}</div>
            {state}
            {/* Screens 9.4: while editing, the × takes the place of the menu. */}
            {!isEditing && items.length > 0 && (
              <MenuButton
                type="text"
                size="small"
                className={styles.control ?? ''}
                icon={<EllipsisOutlined rotate={90} />}
                aria-label={`Menu of ${title}`}
                menu={{ items }}
              />
            )}
            {isEditing && actions && (
              <Button
                type="text"
                size="small"
                icon={<CloseOutlined />}
                aria-label={`Remove from Dashboard: ${title}`}
                title="Remove from Dashboard"
                onClick={() => actions.remove(widget)}
              />
            )}
          </header>
          {children}
        </div>
        {footer}
      </div>
    </article>
  );
}
