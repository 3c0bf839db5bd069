import { Button, type ButtonProps } from 'antd';
import type { Ref } from 'react';
import styles from './GuardedButton.module.css';
import { Tooltip } from './Tooltip.tsx';

interface GuardedButtonProps extends ButtonProps {
  ref?: Ref<HTMLButtonElement> | undefined;
  /** The reason why it cannot be pressed, if any. */
  refusal?: string | false | null | undefined;
}

/** A disabled button cannot be focused, so its reason stays hidden. This one stays reachable and shows it. */
export function GuardedButton({ refusal, ...props }: GuardedButtonProps) {
  // Screens 5.5: a running action cannot be started again; the spinner shows that visually.
  if (!refusal) return <Button {...props} {...(props.loading && { 'aria-disabled': true, 'aria-busy': true })} />;
  return (
    <Tooltip title={refusal}>
      <Button {...props} aria-disabled className={styles.refused} onClick={(event) => event.preventDefault()} />
    </Tooltip>
  );
}
