import AimOutlined from '@ant-design/icons/AimOutlined';
import FullscreenExitOutlined from '@ant-design/icons/FullscreenExitOutlined';
import FullscreenOutlined from '@ant-design/icons/FullscreenOutlined';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import styles from './MapFrame.module.css';

interface MapFrameProps {
  /** The element that Leaflet draws into. */
  place: RefObject<HTMLDivElement | null>;
  label: string;
  onHome: () => void;
  background?: string | undefined;
  /** Content over the map: legend, groups, notes. */
  children?: ReactNode;
  /** The attribution of the tiles. */
  attribution?: string | undefined;
}

/** The frame of every map: its element, a button back to the first view, full screen, and the attribution. */
export function MapFrame({ place, label, onHome, background, attribution, children }: MapFrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const onChange = () => setFull(document.fullscreenElement !== null && document.fullscreenElement === frame.current);
    document.addEventListener('fullscreenchange', onChange);
    return () => document.removeEventListener('fullscreenchange', onChange);
  }, []);
  const toggle = () => void (isFull ? document.exitFullscreen() : frame.current?.requestFullscreen())?.catch(() => {});

  return (
    <div ref={frame} className={styles.frame} style={background ? { background } : undefined}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: arrows move the map, plus and minus zoom it */}
      <div ref={place} className={styles.place} role="application" aria-label={label} tabIndex={0} />
      <div className={styles.tools}>
        <button type="button" title="Reset view" aria-label="Reset view" onClick={onHome}>
          <AimOutlined aria-hidden />
        </button>
        {document.fullscreenEnabled && (
          <button
            type="button"
            title={isFull ? 'Leave full screen' : 'Full screen'}
            aria-label={isFull ? 'Leave full screen' : 'Full screen'}
            onClick={toggle}
          >
            {isFull ? <FullscreenExitOutlined aria-hidden /> : <FullscreenOutlined aria-hidden />}
          </button>
        )}
      </div>
      {children}
      {attribution && <Attribution text={attribution} />}
    </div>
  );
}

const openStreetMap = '© OpenStreetMap contributors';

/** Plain text of the organisation (security 12); only the one source whose licence requires it gets a link. */
function Attribution({ text }: { text: string }) {
  const rest = text.startsWith(openStreetMap) ? text.slice(openStreetMap.length) : null;
  return (
    <small className={styles.attribution}>
      {rest === null ? (
        text
      ) : (
        <>
          <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener noreferrer">
            {openStreetMap}
          </a>
          {rest}
        </>
      )}
    </small>
  );
}
