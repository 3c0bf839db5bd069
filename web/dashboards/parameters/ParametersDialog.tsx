import {
  type DashboardParameter,
  keptMappings,
  mappedOf,
  mappingsOf,
  type ParameterMapping,
  withTitle,
} from '@telltale/domain/dashboards/parameter-mapping.ts';
import type { Widget, WidgetChanges } from '@telltale/domain/dashboards/widget.ts';
import { useState } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import { MappingTable } from './MappingTable.tsx';

interface ParametersDialogProps {
  widget: Widget;
  parameters: readonly DashboardParameter[];
  /** All widgets of the dashboard: a title is the same wherever its parameter is used. */
  widgets: readonly Widget[];
  onSave: (widget: Widget, changes: WidgetChanges, failure: string) => Promise<unknown>;
  onClose: () => void;
}

const failure = 'Widget cannot be updated';

/** D9: 700 wide. */
export default function ParametersDialog({ widget, parameters, widgets, onSave, onClose }: ParametersDialogProps) {
  const [mappings, setMappings] = useState<readonly ParameterMapping[]>(() => mappingsOf(mappedOf(widget)));
  const definitions = (widget.visualization?.query.options.parameters ?? []).map((one) => ({
    ...one,
    parentQueryId: widget.visualization?.query.id ?? null,
  }));
  // Parameters that only this widget uses are not offered for joining.
  const others = parameters.filter(({ widgets: users }) => users.some((user) => user.widget.id !== widget.id));
  const change = (mapping: ParameterMapping) => setMappings((before) => before.map((one) => (one.name === mapping.name ? mapping : one)));

  const save = async () => {
    const before = new Map(mappingsOf(mappedOf(widget)).map((one) => [one.name, one]));
    await onSave(widget, { options: { parameterMappings: keptMappings(mappings) } }, failure);
    const renamed = mappings.filter(
      ({ name, type, title, mapTo }) =>
        type === 'dashboard-level' && title && (title !== before.get(name)?.title || mapTo !== before.get(name)?.mapTo),
    );
    if (renamed.length === 0) return;
    for (const other of widgets) {
      const kept = other.options.parameterMappings;
      if (other.id === widget.id || !kept) continue;
      const next = renamed.reduce((all, { mapTo, name, title }) => withTitle(all, mapTo || name, title ?? ''), kept);
      if (JSON.stringify(next) !== JSON.stringify(kept)) await onSave(other, { options: { parameterMappings: next } }, failure);
    }
  };

  return (
    <Dialog title="Parameters" okText="OK" onOk={save} onClose={onClose} width={700}>
      <MappingTable parameters={definitions} mappings={mappings} existing={others} onChange={change} />
    </Dialog>
  );
}
