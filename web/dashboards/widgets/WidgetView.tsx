import { memo } from 'react';
import { RenderBoundary } from '../../visualizations/RenderBoundary.tsx';
import type { ShownWidget } from '../shownWidget.ts';
import { LiveWidget } from './LiveWidget.tsx';
import { RestrictedWidget } from './RestrictedWidget.tsx';
import { TextWidget } from './TextWidget.tsx';
import { VisualizationWidget } from './VisualizationWidget.tsx';

/** Screens 17.31: what is wrong with one widget takes its place and no other. */
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
