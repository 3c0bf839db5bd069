import type { Map as LeafletMap } from 'leaflet';
import { useCallback, useEffect, useRef } from 'react';
import { type Extent, isSameExtent } from './position.ts';

interface View {
  /** The stored extent; null shows everything. */
  extent: Extent | null;
  everything: Extent | null;
  /** The padding around everything, in pixels: left, top, right, bottom. */
  padding: readonly [number, number, number, number];
  /** The closest zoom, for a single place. */
  maxZoom?: number;
  /** Called when a user has moved the map while the editor is open. */
  onMove?: ((extent: Extent) => void) | undefined;
}

/**
 * Shows the stored extent, or everything; again when one of the two or the size changes, never after a reader has moved the map. Returns a
 * function that goes back to that view.
 */
export function useView(map: LeafletMap | null, { extent, everything, padding, maxZoom = 15, onMove }: View): () => void {
  const shown = useRef<Extent | null>(null);
  const isOurs = useRef(false);
  const isHome = useRef(true);
  const stored = useRef<Extent | null>(null);
  const report = useRef(onMove);
  useEffect(() => {
    report.current = onMove;
  });

  const goHome = useCallback(() => {
    if (!map) return;
    const target = extent ?? everything;
    shown.current = target;
    isHome.current = true;
    if (!target) return;
    isOurs.current = true;
    const corners: [[number, number], [number, number]] = [
      [target.south, target.west],
      [target.north, target.east],
    ];
    const [left, top, right, bottom] = extent ? [0, 0, 0, 0] : padding;
    map.fitBounds(corners, {
      animate: false,
      maxZoom: extent ? map.getMaxZoom() : maxZoom,
      paddingTopLeft: [left, top],
      paddingBottomRight: [right, bottom],
    });
    isOurs.current = false;
  }, [map, extent, everything, padding, maxZoom]);

  useEffect(() => {
    if (map) isHome.current = true;
  }, [map]);

  useEffect(() => {
    const isStoredAsBefore = isSameExtent(extent, stored.current);
    stored.current = extent;
    // The map is already at the extent that it has just reported.
    if (extent && isSameExtent(extent, shown.current)) return;
    // Fresh data does not move the map away from the reader's view.
    if (isStoredAsBefore && !isHome.current) return;
    goHome();
  }, [extent, goHome]);

  useEffect(() => {
    if (!map) return;
    const onEnd = () => {
      // visualizations 10: only while the map has the focus.
      if (isOurs.current) return;
      isHome.current = false;
      if (!report.current || !map.getContainer().contains(document.activeElement)) return;
      const bounds = map.getBounds();
      const next = { south: bounds.getSouth(), west: bounds.getWest(), north: bounds.getNorth(), east: bounds.getEast() };
      shown.current = next;
      report.current(next);
    };
    map.on('moveend', onEnd);
    return () => {
      map.off('moveend', onEnd);
    };
  }, [map]);

  useEffect(() => {
    if (!map) return;
    const fit = () => {
      isOurs.current = true;
      map.invalidateSize({ animate: false, pan: false });
      isOurs.current = false;
      if (isHome.current) goHome();
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(map.getContainer());
    return () => observer.disconnect();
  }, [map, goHome]);
  return goHome;
}
