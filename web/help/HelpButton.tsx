import QuestionCircleOutlined from '@ant-design/icons/QuestionCircleOutlined';
import { useLocation } from 'react-router';
import styles from './HelpButton.module.css';
import { HelpLink } from './HelpLink.tsx';
import { topicOf } from './help.ts';

export function HelpButton() {
  const { pathname } = useLocation();
  return (
    <HelpLink className={styles.button} topic={topicOf(pathname)}>
      <QuestionCircleOutlined aria-hidden />
      <span className={styles.word}>Help</span>
    </HelpLink>
  );
}
