import CheckCircleFilled from '@ant-design/icons/CheckCircleFilled';
import CloseCircleFilled from '@ant-design/icons/CloseCircleFilled';
import styles from './Form.module.css';

/** Screens 12.1: a success or error icon in the field; its place is reserved, so that nothing jumps. */
export function FieldIcon({ isFaulty, isGood }: { isFaulty: boolean; isGood: boolean }) {
  if (isFaulty) return <CloseCircleFilled className={styles.bad ?? ''} aria-hidden />;
  if (isGood) return <CheckCircleFilled className={styles.good ?? ''} aria-hidden />;
  return <span className={styles.noIcon} />;
}
