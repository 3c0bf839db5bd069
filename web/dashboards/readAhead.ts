import { addressOf } from '@telltale/domain/endpoint.ts';
import { resultsApi } from '@telltale/domain/results/contract.ts';
import { askEarly } from '../api/call.ts';
import { positionOfWidget } from '../grid/widgetPosition.ts';
import { findVisualization } from '../visualizations/index.ts';
import { compacted, onFirstScreen } from './grid/layout.ts';
import { isTextBox, type ShownWidget, storedResultOf } from './shownWidget.ts';
import { readMarkdown } from './widgets/TextWidget.tsx';

/** Loads in advance what the first screen needs: the code of its kinds, and stored results. */
export function readAhead(widgets: readonly ShownWidget[], isSingleColumn: boolean): void {
  const seen = onFirstScreen(compacted(new Map(widgets.map((widget) => [widget.id, positionOfWidget(widget)]))), isSingleColumn);
  if (widgets.some(isTextBox)) void readMarkdown();
  for (const { id, visualization } of widgets) {
    if (!visualization || !seen.has(id)) continue;
    void findVisualization(visualization.type)?.preload();
    const stored = storedResultOf(visualization.query);
    if (stored) askEarly(addressOf(resultsApi.get.path, { file: String(stored) }, undefined));
  }
}
