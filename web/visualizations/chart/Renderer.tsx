import type { RendererProps } from '../define.ts';
import styles from './Chart.module.css';
import type { ChartOptions } from './chartOptions.ts';
import { HeatmapChart } from './HeatmapChart.tsx';
import { PieChart } from './PieChart.tsx';
import { XyChart } from './XyChart.tsx';

/** visualizations 5. */
export default function ChartRenderer(props: RendererProps<ChartOptions>) {
  switch (props.options.globalSeriesType) {
    case 'custom':
      return <CustomNotice />;
    case 'pie':
      return <PieChart {...props} />;
    case 'heatmap':
      return <HeatmapChart {...props} />;
    default:
      return <XyChart {...props} />;
  }
}

/** Complaint 44: code of a user does not run in other users' pages. It stays stored. */
function CustomNotice() {
  return (
    <div className={styles.custom} role="note">
      <p>This chart is drawn by custom JavaScript, which is not run here.</p>
      <p>Its code is kept as it is. Choose another chart type in the editor to see the data.</p>
    </div>
  );
}
