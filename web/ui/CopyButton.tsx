import CheckOutlined from '@ant-design/icons/CheckOutlined';
import CopyOutlined from '@ant-design/icons/CopyOutlined';
import { Button } from 'antd';
import { Tooltip } from './Tooltip.tsx';
import { useCopy } from './useCopy.ts';

interface CopyButtonProps {
  text: string;
  /** What is copied, for those who do not see where the button stands: "Copy API Key". */
  what?: string;
}

export function CopyButton({ text, what }: CopyButtonProps) {
  const { label, hasCopied, copy } = useCopy();
  const isIdle = label === 'Copy';
  return (
    <Tooltip title={label} open={isIdle ? undefined : true}>
      <Button
        type="text"
        size="small"
        icon={hasCopied ? <CheckOutlined /> : <CopyOutlined />}
        aria-label={isIdle && what ? `Copy ${what}` : label}
        onClick={() => copy(text)}
      />
    </Tooltip>
  );
}
