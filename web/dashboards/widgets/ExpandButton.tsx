import ArrowsAltOutlined from '@ant-design/icons/ArrowsAltOutlined';
import { Button } from 'antd';
import styles from './Widget.module.css';

export const ExpandButton = ({ title, onClick }: { title: string; onClick: () => void }) => (
  <Button
    type="text"
    size="small"
    className={styles.control ?? ''}
    icon={<ArrowsAltOutlined />}
    aria-label={`Expand ${title}`}
    title="Expand"
    onClick={onClick}
  />
);
