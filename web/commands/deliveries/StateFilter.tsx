import { type DeliveryState, deliveryStates } from '@telltale/domain/commands/delivery.ts';
import { Select } from 'antd';
import styles from './Deliveries.module.css';
import { stateNames } from './deliveryText.ts';

interface StateFilterProps {
  states: readonly DeliveryState[];
  onChange: (states: readonly DeliveryState[]) => void;
}

export function StateFilter({ states, onChange }: StateFilterProps) {
  return (
    <Select
      className={styles.filter ?? ''}
      mode="multiple"
      allowClear
      maxTagCount="responsive"
      aria-label="Filter by state"
      placeholder="All states"
      value={[...states]}
      options={deliveryStates.map((value) => ({ value, label: stateNames[value] }))}
      showSearch={{ optionFilterProp: 'label' }}
      onChange={(next: DeliveryState[]) => onChange(next)}
    />
  );
}
