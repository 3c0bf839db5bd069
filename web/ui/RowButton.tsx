import type { ButtonProps } from 'antd';
import { GuardedButton } from './GuardedButton.tsx';
import styles from './RowButton.module.css';

interface RowButtonProps extends Pick<ButtonProps, 'loading' | 'onClick'> {
  children: string;
  /** The thing it acts on: a row's button is heard without its row. */
  thing: string;
  danger?: boolean;
  /** Why it cannot be pressed. */
  refusal?: string | false | undefined;
}

/** An action in a table: quiet, because there is one in every row. */
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
