import InfoCircleOutlined from '@ant-design/icons/InfoCircleOutlined';
import { Tooltip } from '../../ui/Tooltip.tsx';

interface AboutButtonProps {
  /** What the button is about, for screen readers: they hear it before the text. */
  label: string;
  text: string;
  className: string | undefined;
}

/** A mark that explains a column to the mouse and to the keyboard. */
export const AboutButton = ({ label, text, className }: AboutButtonProps) => (
  <Tooltip title={text}>
    <button type="button" className={className} aria-label={`${label}: ${text}`}>
      <InfoCircleOutlined aria-hidden />
    </button>
  </Tooltip>
);
