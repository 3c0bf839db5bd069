import { AriaComponent, GridComponent, TooltipComponent } from 'echarts/components';
import { use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

type Parts = Parameters<typeof use>[0];

// What nearly every picture needs. The rest comes with the kind that draws it.
use([CanvasRenderer, GridComponent, TooltipComponent, AriaComponent]);

/** Called once, at the top of a kind's renderer: `registerParts([SankeyChart])`. Only what is named here is in the build. */
export const registerParts = (parts: Parts): void => use(parts);
