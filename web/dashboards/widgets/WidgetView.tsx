import { memo } from 'react';
import { RenderBoundary } from '../../visualizations/RenderBoundary.tsx';
import type { ShownWidget } from '../shownWidget.ts';
import { LiveWidget } from './LiveWidget.tsx';
import { RestrictedWidget } from './RestrictedWidget.tsx';
import { TextWidget } from './TextWidget.tsx';
import { VisualizationWidget } from './VisualizationWidget.tsx';

/** Complaint 31: an error in one widget replaces only that widget. */
export const WidgetView = memo(function WidgetView({ widget }: { widget: ShownWidget }) {
  return (
    <RenderBoundary resetOn={[widget]}>
      <AnyWidget widget={widget} />
    </RenderBoundary>
  );
});

function AnyWidget({ widget }: { widget: ShownWidget }) {
  const { visualization, restricted, options } = widget;
  if (restricted) return <RestrictedWidget widget={widget} />;
  if (options.live && !visualization) return <LiveWidget widget={widget} live={options.live} />;
  if (!visualization) return <TextWidget widget={widget} />;
  return <VisualizationWidget widget={widget} visualization={visualization} />;
}
