import { type TileSource, tileSourceOf } from '@telltale/domain/visualizations/map-tiles.ts';
import { canvas, geoJSON, type Map as LeafletMap, tileLayer } from 'leaflet';
import { useEffect, useState } from 'react';
import { useThemeName } from '../../theme/themeChoice.ts';
import { colors } from '../../theme/tokens.ts';
import { loadShapes } from '../choropleth/shapes.ts';
import { canReach } from './tileProbe.ts';

export interface Background {
  attribution: string;
  /** Shown under the map when its tiles could not be loaded. */
  note: string | null;
}

const plain: Background = { attribution: '', note: null };

/** Lighter than the sea in either theme. */
const land = {
  light: { fillColor: colors.paper.light, color: colors.line.light },
  dark: { fillColor: colors.hover.dark, color: colors.edge.dark, opacity: 0.5 },
};

/** The pane under everything that is drawn on the map. */
function groundPane(map: LeafletMap): string {
  const name = 'ground';
  const pane = map.getPane(name) ?? map.createPane(name);
  pane.style.zIndex = '150';
  return name;
}

/** Tiles where they are reachable; otherwise a plain ground with the outlines of countries, without network requests. */
export function useBackground(map: LeafletMap | null, mapTileUrl: string, sources: readonly TileSource[] | undefined): Background {
  const theme = useThemeName();
  const source = sources ? tileSourceOf(mapTileUrl, sources) : null;
  const url = source?.url ?? null;
  const [isReached, setReached] = useState<boolean | null>(null);

  useEffect(() => {
    setReached(null);
    if (!url) return;
    let isCurrent = true;
    const ask = () => void canReach(url).then((answer) => isCurrent && setReached(answer));
    ask();
    addEventListener('online', ask);
    return () => {
      isCurrent = false;
      removeEventListener('online', ask);
    };
  }, [url]);

  useEffect(() => {
    if (!map || !url || !isReached) return;
    const layer = tileLayer(url, { maxZoom: map.getMaxZoom(), maxNativeZoom: 19, detectRetina: false });
    layer.addTo(map);
    return () => {
      layer.remove();
    };
  }, [map, url, isReached]);

  const isPlain = url === null || isReached === false;
  useEffect(() => {
    if (!map || !isPlain) return;
    let remove: (() => void) | null = null;
    let isCurrent = true;
    loadShapes('countries').then(
      (shapes) => {
        if (!isCurrent) return;
        const renderer = canvas({ padding: 0.5, pane: groundPane(map) });
        const outlines = geoJSON(shapes, {
          interactive: false,
          style: { renderer, ...land[theme], fillOpacity: 1, weight: 1 },
        });
        outlines.addTo(map);
        remove = () => {
          outlines.remove();
          renderer.remove();
        };
      },
      // Without the land the ground is plain.
      () => {},
    );
    return () => {
      isCurrent = false;
      remove?.();
    };
  }, [map, isPlain, theme]);

  if (!source) return plain;
  if (isReached === false) return { attribution: '', note: `${source.name} cannot be reached: the map is drawn without it.` };
  return { attribution: source.attribution, note: null };
}
