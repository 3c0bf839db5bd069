import { Button } from 'antd';
import styles from './Chart.module.css';

interface RangeOfferProps {
  left: number;
  onApply: () => void;
  onClose: () => void;
}

/** After a drag over time: the same stretch for the whole dashboard. */
export const RangeOffer = ({ left, onApply, onClose }: RangeOfferProps) => (
  <div className={styles.offer} style={{ left }}>
    <Button size="small" type="primary" onClick={onApply}>
      Set dashboard time range
    </Button>
    <Button size="small" aria-label="Keep only this chart zoomed" onClick={onClose}>
      Only this chart
    </Button>
  </div>
);
