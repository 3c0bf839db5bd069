import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useMemo, useRef } from 'react';
import { useThemeName } from '../../theme/themeChoice.ts';
import type { RendererProps } from '../define.ts';
import { MapFrame } from '../geo/MapFrame.tsx';
import type { Extent } from '../geo/position.ts';
import { useLeaflet } from '../geo/useLeaflet.ts';
import { useView } from '../geo/useView.ts';
import { safeColor } from '../map/markerLook.ts';
import styles from './Choropleth.module.css';
import { choroplethModel } from './choroplethModel.ts';
import { choroplethNotes } from './choroplethNotes.ts';
import { boundsOfExtent, type ChoroplethOptions, extentOfBounds } from './choroplethOptions.ts';
import { Legend } from './Legend.tsx';
import { mapTypes } from './mapTypes.ts';
import { shapeLayer } from './shapeLayer.ts';
import { shapesExtent } from './shapes.ts';
import { shapeWords } from './shapeWords.ts';
import { themeColors } from './themeColors.ts';
import { useShapes } from './useShapes.ts';

const deepestZoom = 12;
/** Leaves room for the buttons on the left. */
const padding = [44, 8, 8, 8] as const;

/** visualizations 10: the shapes of a map, coloured by their values. */
export default function ChoroplethRenderer({ table, options: stored, settings, name, onOptionsChange }: RendererProps<ChoroplethOptions>) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useThemeName();
  const options = useMemo(() => ({ ...stored, colors: themeColors(stored.colors, theme) }), [stored, theme]);
  const shapes = useShapes(options.mapType);
  const map = useLeaflet(place, { maxZoom: deepestZoom, zoomSnap: 0.25 });
  const model = useMemo(() => (shapes ? choroplethModel(table, shapes, options) : null), [table, shapes, options]);
  const words = useMemo(() => shapeWords(options, settings), [options, settings]);
  const { view, name: mapName } = mapTypes[options.mapType];
  const extent = useMemo(() => (options.bounds ? extentOfBounds(options.bounds) : null), [options.bounds]);
  const onMove = onOptionsChange && ((next: Extent) => onOptionsChange({ bounds: boundsOfExtent(next) }));
  const goHome = useView(map, { extent, everything: view, padding, maxZoom: deepestZoom, onMove });

  useEffect(() => {
    if (!map || !shapes) return;
    const stay = () => keepInSight(map, shapesExtent(shapes));
    map.on('dragend', stay);
    return () => {
      map.off('dragend', stay);
    };
  }, [map, shapes]);

  useEffect(() => {
    if (!map || !model) return;
    return shapeLayer(map, model.shapes, options.colors, words);
  }, [map, model, options.colors, words]);

  const notes = model ? choroplethNotes(model, table, mapName) : [];
  return (
    <MapFrame
      place={place}
      label={`${name || 'Map'}: arrow keys move the map, plus and minus zoom`}
      onHome={goHome}
      background={safeColor(options.colors.background, 'var(--paper)')}
    >
      {model && options.legend.visible && (
        <Legend classes={model.classes} legend={options.legend} format={words.value} title={model.mapping.valueColumn ?? ''} />
      )}
      {notes.length > 0 && (
        <p className={styles.note} role="status">
          {notes.join(' ')}
        </p>
      )}
    </MapFrame>
  );
}

/** visualizations 10: moving the map never moves the shapes out of sight. */
function keepInSight(map: LeafletMap, { south, west, north, east }: Extent): void {
  const { lat, lng } = map.getCenter();
  const inside: [number, number] = [Math.min(north, Math.max(south, lat)), Math.min(east, Math.max(west, lng))];
  if (inside[0] !== lat || inside[1] !== lng) map.panTo(inside, { animate: false });
}
