import DragOutlined from '@ant-design/icons/DragOutlined';
import ExpandOutlined from '@ant-design/icons/ExpandOutlined';
import SearchOutlined from '@ant-design/icons/SearchOutlined';
import ZoomInOutlined from '@ant-design/icons/ZoomInOutlined';
import ZoomOutOutlined from '@ant-design/icons/ZoomOutOutlined';
import { ModeBar, ModeButton } from '../echarts/ModeBar.tsx';

export type DragMode = 'zoom' | 'pan';

interface PlotToolsProps {
  mode: DragMode;
  onMode: (mode: DragMode) => void;
  isZoomed: boolean;
  onZoom: (factor: number) => void;
  onReset: () => void;
  onSave: () => void;
}

/** visualizations 5.15. */
export function PlotTools({ mode, onMode, isZoomed, onZoom, onReset, onSave }: PlotToolsProps) {
  return (
    <ModeBar onSave={onSave}>
      <ModeButton label="Drag to zoom" icon={<SearchOutlined />} isForMouse isOn={mode === 'zoom'} onClick={() => onMode('zoom')} />
      <ModeButton label="Drag to pan" icon={<DragOutlined />} isForMouse isOn={mode === 'pan'} onClick={() => onMode('pan')} />
      <ModeButton label="Zoom in" icon={<ZoomInOutlined />} onClick={() => onZoom(0.5)} />
      <ModeButton label="Zoom out" icon={<ZoomOutOutlined />} isDisabled={!isZoomed} onClick={() => onZoom(2)} />
      <ModeButton label="Reset zoom" icon={<ExpandOutlined />} isDisabled={!isZoomed} onClick={onReset} />
    </ModeBar>
  );
}
