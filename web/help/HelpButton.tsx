import QuestionCircleOutlined from '@ant-design/icons/QuestionCircleOutlined';
import styles from './HelpButton.module.css';
import { HelpLink } from './HelpLink.tsx';

export function HelpButton() {
  return (
    <HelpLink className={styles.button}>
      <QuestionCircleOutlined aria-hidden />
      <span className={styles.word}>Help</span>
    </HelpLink>
  );
}
