import WarningFilled from '@ant-design/icons/WarningFilled';
import type { ReactNode } from 'react';
import styles from './Form.module.css';

/** A warning before saving; it does not block the save. */
export const Warning = ({ children }: { children: ReactNode }) => (
  <p className={styles.warning} role="status">
    <WarningFilled aria-hidden />
    <span>{children}</span>
  </p>
);
