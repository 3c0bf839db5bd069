import { Button, type ButtonProps } from 'antd';
import styles from './GuardedButton.module.css';
import { Tooltip } from './Tooltip.tsx';

interface GuardedButtonProps extends ButtonProps {
  /** Why it cannot be pressed; nothing when it can. */
  refusal?: string | false | null | undefined;
}

/** A disabled button cannot be reached, so nobody learns why. This one stays reachable and tells it. */
export function GuardedButton({ refusal, ...props }: GuardedButtonProps) {
  if (!refusal) return <Button {...props} />;
  return (
    <Tooltip title={refusal}>
      <Button {...props} aria-disabled className={styles.refused} onClick={(event) => event.preventDefault()} />
    </Tooltip>
  );
}
