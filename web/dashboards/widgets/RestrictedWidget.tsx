import LockOutlined from '@ant-design/icons/LockOutlined';
import type { ShownWidget } from '../shownWidget.ts';
import styles from './Widget.module.css';
import { WidgetFrame } from './WidgetFrame.tsx';

export function RestrictedWidget({ widget }: { widget: ShownWidget }) {
  return (
    <WidgetFrame widget={widget}>
      <div className={styles.restricted}>
        <LockOutlined aria-hidden />
        <p>This widget requires access to a data source you don't have access to.</p>
      </div>
    </WidgetFrame>
  );
}
