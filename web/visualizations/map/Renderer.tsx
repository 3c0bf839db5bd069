import { tileSourceOf } from '@telltale/domain/visualizations/map-tiles.ts';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { RendererProps } from '../define.ts';
import { MapFrame } from '../geo/MapFrame.tsx';
import type { Extent } from '../geo/position.ts';
import { useLeaflet } from '../geo/useLeaflet.ts';
import { useView } from '../geo/useView.ts';
import { GroupLayers } from './GroupLayers.tsx';
import styles from './Map.module.css';
import { MarkerLayer } from './MarkerLayer.ts';
import { mapModel } from './mapModel.ts';
import { mapNotes } from './mapNotes.ts';
import { boundsOfExtent, extentOfBounds, type MapOptions } from './mapOptions.ts';
import { circleLook, clusterLook, customLook, pinLook, safeColor } from './markerLook.ts';
import { popupWords, tooltipWords } from './markerWords.ts';
import { useBackground } from './useBackground.ts';
import { wordsElement } from './wordsElement.ts';

const deepestZoom = 20;
const plainColor = '#356AFF';
/** Leaves room for pins above their place, and for the buttons on the left. */
const padding = [48, 48, 24, 32] as const;

/** visualizations 11: one marker for each row with a position. */
export default function MapRenderer({ table, options, settings, name, onOptionsChange }: RendererProps<MapOptions>) {
  const place = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const hasTiles = tileSourceOf(options.mapTileUrl, settings.mapTiles ?? []) !== null;
  // Tiles are sharp only in their own sizes.
  const map = useLeaflet(place, { maxZoom: deepestZoom, hasScale: true, zoomSnap: hasTiles ? 1 : 0.25 });
  const model = useMemo(() => mapModel(table, options), [table, options]);
  const extent = useMemo(() => options.bounds && extentOfBounds(options.bounds), [options.bounds]);
  const onMove = onOptionsChange && ((next: Extent) => onOptionsChange({ bounds: boundsOfExtent(next) }));
  const goHome = useView(map, { extent, everything: model.extent, padding, onMove });
  const background = useBackground(map, options.mapTileUrl, settings.mapTiles);

  const look = useMarkerSettings({ table, options, settings });
  useEffect(() => {
    if (!map) return;
    const shown = model.groups.flatMap((group, at) => (hidden.has(group.name) ? [] : [at]));
    const isGrouped = options.classify !== null;
    const layer = new MarkerLayer(map, model, {
      ...look,
      shown,
      colorOf: (group) => (isGrouped ? safeColor(model.groups[group]?.color ?? '', plainColor) : ownColor(options)),
      lookOf: (group) =>
        isGrouped ? circleLook(model.groups[group]?.color ?? plainColor) : options.customizeMarkers ? customLook(options) : pinLook(),
      bubbleOf: (count, group) => clusterLook(count, isGrouped ? (model.groups[group]?.color ?? plainColor) : ownColor(options)),
      labelOf: (marker) => labelOf(marker, model.lat, model.lon),
      popupOf: look.popupOf && ((marker) => look.popupOf?.(model.row[marker] ?? -1) ?? document.createElement('div')),
      tooltipOf: look.tooltipOf && ((marker) => look.tooltipOf?.(model.row[marker] ?? -1) ?? document.createElement('div')),
    });
    return () => layer.remove();
  }, [map, model, look, hidden, options]);

  const layers = useMemo(
    () => (options.classify === null ? model.groups.map((group) => ({ ...group, color: ownColor(options) })) : model.groups),
    [model, options],
  );
  const notes = [...mapNotes(model, table), ...(background.note ? [background.note] : [])];
  return (
    <MapFrame
      place={place}
      label={`${name || 'Map'}: arrow keys move the map, plus and minus zoom`}
      onHome={goHome}
      attribution={background.attribution}
    >
      {layers.length > 0 && <GroupLayers groups={layers} hidden={hidden} onChange={setHidden} />}
      {notes.length > 0 && (
        <p className={styles.note} role="status">
          {notes.join(' ')}
        </p>
      )}
    </MapFrame>
  );
}

/** visualizations 11: a bubble has the colour of its markers. */
function ownColor({ customizeMarkers, iconShape, backgroundColor, borderColor }: MapOptions): string {
  if (!customizeMarkers) return plainColor;
  return safeColor(iconShape.endsWith('-dot') ? borderColor : backgroundColor, plainColor);
}

const labelOf = (marker: number, lat: Float64Array, lon: Float64Array) =>
  `Marker at ${(lat[marker] ?? 0).toFixed(4)}, ${(lon[marker] ?? 0).toFixed(4)}`;

/** The texts of markers; the same object until they change, so that a refresh of the view keeps the markers. */
function useMarkerSettings({ table, options, settings }: Pick<RendererProps<MapOptions>, 'table' | 'options' | 'settings'>) {
  return useMemo(
    () => ({
      isClustered: options.clusterMarkers,
      popupOf: options.popup.enabled ? (at: number) => wordsElement(popupWords(table.rows[at] ?? {}, table, options, settings)) : null,
      tooltipOf: options.tooltip.enabled ? (at: number) => wordsElement(tooltipWords(table.rows[at] ?? {}, options)) : null,
    }),
    [table, options, settings],
  );
}
