import DeleteOutlined from '@ant-design/icons/DeleteOutlined';
import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { conditionLimits } from '@telltale/domain/commands/condition.ts';
import { Button, Radio } from 'antd';
import { type GroupDraft, isGroup, newGroup, newRule, type RuleDraft } from './conditionDraft.ts';
import styles from './Events.module.css';
import { RuleRow, type RuleRowProps } from './RuleRow.tsx';

interface ConditionBuilderProps extends Pick<RuleRowProps, 'attributes' | 'isTried'> {
  group: GroupDraft;
  onChange: (group: GroupDraft) => void;
  onRemove?: () => void;
  depth?: number;
}

/** A9: conditions joined by and / or, in groups at most three deep. */
export function ConditionBuilder({ group, onChange, onRemove, depth = 1, ...shared }: ConditionBuilderProps) {
  const { items } = group;
  const replace = (next: RuleDraft | GroupDraft) =>
    onChange({ ...group, items: items.map((item) => (item.key === next.key ? next : item)) });
  const remove = (key: number) => onChange({ ...group, items: items.filter((item) => item.key !== key) });
  const add = (item: RuleDraft | GroupDraft) => onChange({ ...group, items: [...items, item] });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid with its legend
    <div
      className={depth === 1 ? styles.root : styles.group}
      role="group"
      aria-label={depth === 1 ? 'Conditions' : `Group of level ${depth}`}
    >
      {items.map((item, at) => (
        <div key={item.key} className={styles.item}>
          {at > 0 && (
            <Radio.Group
              optionType="button"
              size="small"
              aria-label="Joined by"
              value={group.join}
              options={[
                { value: 'and', label: 'and' },
                { value: 'or', label: 'or' },
              ]}
              onChange={({ target }) => onChange({ ...group, join: target.value })}
            />
          )}
          {isGroup(item) ? (
            <ConditionBuilder {...shared} group={item} depth={depth + 1} onChange={replace} onRemove={() => remove(item.key)} />
          ) : (
            <RuleRow {...shared} rule={item} onChange={replace} onRemove={items.length > 1 ? () => remove(item.key) : undefined} />
          )}
        </div>
      ))}
      <div className={styles.add}>
        <Button size="small" icon={<PlusOutlined />} onClick={() => add(newRule())}>
          Add condition
        </Button>
        {depth < conditionLimits.depth && (
          <Button size="small" icon={<PlusOutlined />} onClick={() => add(newGroup('or'))}>
            Add group
          </Button>
        )}
        {onRemove && (
          <Button size="small" type="text" icon={<DeleteOutlined />} onClick={onRemove}>
            Remove group
          </Button>
        )}
      </div>
    </div>
  );
}
