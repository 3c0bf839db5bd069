import { type Operator, operators, type Scalar } from '@telltale/domain/commands/command.ts';
import { conditionLimits } from '@telltale/domain/commands/condition.ts';
import type { Comparison, Condition } from '@telltale/domain/commands/schedule.ts';
import { faultText } from '../../../ui/form/faults.ts';
import { valueText } from '../../conditionValue.ts';

/** A9: the inputs of a threshold. Dates and times are stored as sortable text. */
export const valueKinds = ['number', 'boolean', 'text', 'date', 'time', 'datetime'] as const;
export type ValueKind = (typeof valueKinds)[number];

export type RuleOperator = Operator | 'between' | 'proximity';

export interface RuleDraft {
  key: number;
  attribute: string;
  operator: RuleOperator;
  kind: ValueKind;
  value: string;
  /** The end of a range. */
  to: string;
  /** Words that stand near each other, as typed. */
  words: string;
  between: number;
}

export interface GroupDraft {
  key: number;
  join: 'and' | 'or';
  items: readonly (RuleDraft | GroupDraft)[];
}

let lastKey = 0;
const nextKey = () => ++lastKey;

export const isGroup = (item: RuleDraft | GroupDraft): item is GroupDraft => 'items' in item;

export const newRule = (): RuleDraft => ({
  ...{
    key: nextKey(),
    attribute: '',
    operator: '>',
    kind: 'number',
    value: '',
    to: '',
    words: '',
    between: conditionLimits.wordsBetween.least,
  },
});
export const newGroup = (join: GroupDraft['join'] = 'and'): GroupDraft => ({ key: nextKey(), join, items: [newRule()] });

/** The operators for a kind of value: a range needs an order, proximity needs text. */
export function operatorsFor(kind: ValueKind): readonly RuleOperator[] {
  if (kind === 'boolean') return ['==', '!='];
  return kind === 'text' ? ['==', '!=', 'proximity'] : [...operators, 'between'];
}

/** Changes the kind; the operator is kept only where it still fits. */
export function withKind(rule: RuleDraft, kind: ValueKind): RuleDraft {
  if (kind === rule.kind) return rule;
  const fitting = operatorsFor(kind);
  const operator = fitting.includes(rule.operator) ? rule.operator : (fitting[0] ?? '==');
  return { ...rule, kind, operator, value: kind === 'boolean' ? 'true' : '', to: '' };
}

export type RuleFaults = Partial<Record<'attribute' | 'value' | 'to' | 'words', string>>;

/** A5 and A9, word for word. */
export function ruleFaults(rule: RuleDraft, attributes: readonly string[] | null): RuleFaults {
  const faults: RuleFaults = {};
  const attribute = rule.attribute.trim();
  if (attribute === '') faults.attribute = 'attribute is required';
  else if (attributes && !attributes.includes(attribute)) faults.attribute = 'attribute is not matched with your device!';
  if (rule.operator === 'proximity') {
    const count = wordsOf(rule).length;
    if (count < 2 || count > conditionLimits.words) faults.words = `Type 2 to ${conditionLimits.words} words.`;
    return faults;
  }
  if (rule.value.trim() === '') faults.value = faultText.required;
  else if (rule.kind === 'number' && !isNumber(rule.value)) faults.value = faultText.number;
  if (rule.operator !== 'between') return faults;
  if (rule.to.trim() === '') faults.to = faultText.required;
  else if (rule.kind === 'number' && !isNumber(rule.to)) faults.to = faultText.number;
  else if (!faults.value && isAfter(rule.value, rule.to, rule.kind)) faults.to = 'Invalid range';
  return faults;
}

const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));
const isAfter = (from: string, to: string, kind: ValueKind) => (kind === 'number' ? Number(from) > Number(to) : from > to);
const wordsOf = ({ words }: RuleDraft) => words.split(/[\s,]+/).filter(Boolean);

export const hasFault = (item: RuleDraft | GroupDraft, attributes: readonly string[] | null): boolean =>
  isGroup(item) ? item.items.some((one) => hasFault(one, attributes)) : Object.keys(ruleFaults(item, attributes)).length > 0;

/** The fields to send: one plain comparison by its own fields, anything more as a condition (design 8.1). */
export function eventFields(root: GroupDraft): { attribute: string; operator: string; value: Scalar } | { condition: Condition } {
  const condition = conditionOf(root);
  const isPlain = 'attribute' in condition && condition.operator !== 'between' && condition.operator !== 'proximity';
  return isPlain ? condition : { condition };
}

function conditionOf(item: RuleDraft | GroupDraft): Condition {
  if (!isGroup(item)) return comparisonOf(item);
  const [only, ...others] = item.items;
  if (only && others.length === 0) return conditionOf(only);
  const conditions = item.items.map(conditionOf);
  return item.join === 'and' ? { and: conditions } : { or: conditions };
}

function comparisonOf(rule: RuleDraft): Comparison {
  const attribute = rule.attribute.trim();
  const { operator } = rule;
  if (operator === 'between') return { attribute, operator, value: [scalarOf(rule, rule.value), scalarOf(rule, rule.to)] };
  if (operator === 'proximity') return { attribute, operator, value: { words: wordsOf(rule), between: rule.between } };
  return { attribute, operator, value: scalarOf(rule, rule.value) };
}

function scalarOf({ kind }: RuleDraft, text: string): Scalar {
  if (kind === 'number') return Number(text);
  return kind === 'boolean' ? text === 'true' : text;
}

/** A saved condition as a draft; a single comparison becomes a group. */
export function draftOfCondition(condition: Condition): GroupDraft {
  const item = itemOf(condition);
  return isGroup(item) ? item : { ...newGroup(), items: [item] };
}

function itemOf(condition: Condition): RuleDraft | GroupDraft {
  if ('and' in condition) return { key: nextKey(), join: 'and', items: condition.and.map(itemOf) };
  if ('or' in condition) return { key: nextKey(), join: 'or', items: condition.or.map(itemOf) };
  const { attribute, operator, value } = condition;
  const rule = { ...newRule(), attribute, operator };
  if (operator === 'proximity') return { ...rule, kind: 'text', words: value.words.join(' '), between: value.between };
  const [from, to] = operator === 'between' ? value : [value, ''];
  return { ...rule, kind: kindOf(from), value: valueText(from), to: valueText(to) };
}

function kindOf(value: unknown): ValueKind {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  const text = String(value);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'date';
  if (/^\d{2}:\d{2}:\d{2}$/.test(text)) return 'time';
  return /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text) ? 'datetime' : 'text';
}
