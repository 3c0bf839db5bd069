import { addressOf } from '@telltale/domain/endpoint.ts';
import { resultsApi } from '@telltale/domain/results/contract.ts';
import { askEarly } from '../api/call.ts';
import { findVisualization } from '../visualizations/index.ts';
import { compacted, onFirstScreen } from './grid/layout.ts';
import { positionOfWidget, type ShownWidget, storedResultOf } from './shownWidget.ts';

/** What the first screen needs is asked for before it is drawn: the code of its kinds, and results that are stored. */
export function readAhead(widgets: readonly ShownWidget[], isSingleColumn: boolean): void {
  const seen = onFirstScreen(compacted(new Map(widgets.map((widget) => [widget.id, positionOfWidget(widget)]))), isSingleColumn);
  for (const { id, visualization } of widgets) {
    if (!visualization || !seen.has(id)) continue;
    void findVisualization(visualization.type)?.preload();
    const stored = storedResultOf(visualization.query);
    if (stored) askEarly(addressOf(resultsApi.get.path, { file: String(stored) }, undefined));
  }
}
