import { AriaComponent, GridComponent, TooltipComponent } from 'echarts/components';
import { use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

type Parts = Parameters<typeof use>[0];

// The parts of nearly every picture. The rest comes with the kind that draws it.
use([CanvasRenderer, GridComponent, TooltipComponent, AriaComponent]);

/** Called once, at the top of a kind's renderer: `registerParts([SankeyChart])`. The build contains only registered parts. */
export const registerParts = (parts: Parts): void => use(parts);
