import type { ButtonProps } from 'antd';
import { GuardedButton } from './GuardedButton.tsx';
import styles from './RowButton.module.css';

interface RowButtonProps extends Pick<ButtonProps, 'loading' | 'onClick'> {
  children: string;
  /** The object that it acts on: screen readers read a row's button without its row. */
  thing: string;
  danger?: boolean;
  /** The reason why it cannot be pressed. */
  refusal?: string | false | undefined;
}

/** An action in a table: inconspicuous, because every row has one. */
export function RowButton({ children, thing, danger = false, ...props }: RowButtonProps) {
  return (
    <GuardedButton
      {...props}
      size="small"
      color={danger ? 'danger' : 'default'}
      variant="text"
      rootClassName={styles.button}
      aria-label={`${children} ${thing}`}
    >
      {children}
    </GuardedButton>
  );
}
