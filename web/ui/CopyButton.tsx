import CheckOutlined from '@ant-design/icons/CheckOutlined';
import CopyOutlined from '@ant-design/icons/CopyOutlined';
import { Button } from 'antd';
import { Tooltip } from './Tooltip.tsx';
import { useCopy } from './useCopy.ts';

interface CopyButtonProps {
  text: string;
  /** The name of the copied text, for screen readers: "Copy API Key". */
  what?: string;
  /** Shows the word beside the icon, where copying is the next step. */
  isWordy?: boolean;
}

export function CopyButton({ text, what, isWordy = false }: CopyButtonProps) {
  const { label, hasCopied, copy } = useCopy();
  const isIdle = label === 'Copy';
  return (
    <Tooltip title={label} open={isWordy ? false : isIdle ? undefined : true}>
      <Button
        type={isWordy ? 'default' : 'text'}
        size="small"
        icon={hasCopied ? <CheckOutlined /> : <CopyOutlined />}
        aria-label={isIdle && what ? `Copy ${what}` : label}
        onClick={() => copy(text)}
      >
        {isWordy && label}
      </Button>
    </Tooltip>
  );
}
