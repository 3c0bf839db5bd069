import CloseOutlined from '@ant-design/icons/CloseOutlined';
import { Button } from 'antd';

interface RemoveButtonProps {
  label: string;
  isRunning: boolean;
  onClick: () => void;
}

export const RemoveButton = ({ label, isRunning, onClick }: RemoveButtonProps) => (
  <Button type="text" size="small" icon={<CloseOutlined />} aria-label={label} title={label} loading={isRunning} onClick={onClick} />
);
