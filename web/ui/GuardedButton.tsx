import { Button, type ButtonProps } from 'antd';
import type { Ref } from 'react';
import styles from './GuardedButton.module.css';
import { Tooltip } from './Tooltip.tsx';

interface GuardedButtonProps extends ButtonProps {
  ref?: Ref<HTMLButtonElement> | undefined;
  /** Why it cannot be pressed; nothing when it can. */
  refusal?: string | false | null | undefined;
}

/** A disabled button cannot be reached, so nobody learns why. This one stays reachable and tells it. */
export function GuardedButton({ refusal, ...props }: GuardedButtonProps) {
  // Screens 5.5: what is under way cannot be pressed again; to eyes the spinner says it.
  if (!refusal) return <Button {...props} {...(props.loading && { 'aria-disabled': true, 'aria-busy': true })} />;
  return (
    <Tooltip title={refusal}>
      <Button {...props} aria-disabled className={styles.refused} onClick={(event) => event.preventDefault()} />
    </Tooltip>
  );
}
