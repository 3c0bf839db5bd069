import { geoJSON, type Map as LeafletMap, type Path, svg } from 'leaflet';
import { mixed } from '../echarts/chartColors.ts';
import { sanitize } from '../html/SafeHtml.tsx';
import type { DrawnShape } from './choroplethModel.ts';
import type { ChoroplethOptions } from './choroplethOptions.ts';
import type { Shape } from './shapes.ts';
import type { ShapeWords } from './shapeWords.ts';

const element = (html: string): HTMLElement => {
  const box = document.createElement('div');
  box.innerHTML = sanitize(html);
  return box;
};

/** visualizations 10: coloured shapes with a tooltip that follows the pointer, a popup, and a single Tab stop for all. */
export function shapeLayer(
  map: LeafletMap,
  shapes: readonly DrawnShape[],
  colors: ChoroplethOptions['colors'],
  words: ShapeWords,
): () => void {
  const byShape = new Map<Shape, DrawnShape>(shapes.map((drawn) => [drawn.shape, drawn]));
  const fillOf = (drawn: DrawnShape | undefined) => drawn?.color ?? colors.noValue;
  const renderer = svg({ padding: 0.5 });
  const paths = new Map<DrawnShape, Path>();
  const layer = geoJSON<Shape['properties'], Shape['geometry']>(
    shapes.map(({ shape }) => shape),
    {
      style: (shape) => ({
        renderer,
        color: colors.borders,
        weight: 1,
        opacity: 1,
        fillColor: fillOf(shape && byShape.get(shape as Shape)),
        fillOpacity: 1,
      }),
      onEachFeature: (shape, path) => {
        const drawn = byShape.get(shape as Shape);
        if (!drawn || !isPath(path)) return;
        paths.set(drawn, path);
        const mark = () => path.setStyle({ weight: 2, fillColor: mixed(fillOf(drawn), '#000000', 0.15) });
        // Focus does not bring the shape to the front: an element that is moved in the page loses the focus.
        path.on('mouseover', () => mark().bringToFront());
        path.on('focus', mark);
        path.on('mouseout blur', () => path.setStyle({ weight: 1, fillColor: fillOf(drawn) }));
        const tooltip = words.tooltip(drawn);
        if (tooltip !== null) path.bindTooltip(() => element(words.tooltip(drawn) ?? ''), { sticky: true });
        path.on('popupopen', () => path.closeTooltip());
        if (words.popup(drawn) !== null) path.bindPopup(() => element(words.popup(drawn) ?? ''), { maxHeight: 240, maxWidth: 320 });
      },
    },
  ).addTo(map);
  makeReachable(paths, words);
  return () => {
    layer.remove();
    renderer.remove();
  };
}

const isPath = (layer: unknown): layer is Path => typeof layer === 'object' && layer !== null && 'setStyle' in layer;

/** Starts at the largest value; arrows go from shape to shape, Enter opens the popup. */
function makeReachable(paths: ReadonlyMap<DrawnShape, Path>, words: ShapeWords): void {
  const order = [...paths].filter(([{ value }]) => value !== null).sort(([a], [b]) => (b.value ?? 0) - (a.value ?? 0));
  const elements = order.flatMap(([drawn, path]) => {
    const found = path.getElement();
    return found instanceof SVGElement ? [{ found, path, drawn }] : [];
  });
  elements.forEach(({ found, path, drawn }, at) => {
    found.setAttribute('tabindex', at === 0 ? '0' : '-1');
    found.setAttribute('role', 'button');
    found.setAttribute('aria-label', words.label(drawn));
    found.addEventListener('focus', () => path.fire('focus'));
    found.addEventListener('blur', () => path.fire('blur'));
    found.addEventListener('keydown', (event) => {
      const steps: Record<string, number> = {
        ArrowRight: at + 1,
        ArrowDown: at + 1,
        ArrowLeft: at - 1,
        ArrowUp: at - 1,
        Home: 0,
        End: elements.length - 1,
      };
      const to = elements[steps[event.key] ?? -1];
      if (event.key === 'Enter' || event.key === ' ') path.openPopup();
      else if (to) {
        found.setAttribute('tabindex', '-1');
        to.found.setAttribute('tabindex', '0');
        to.found.focus();
      } else if (!(event.key in steps)) return;
      event.preventDefault();
      // Otherwise the key would move the map.
      event.stopPropagation();
    });
  });
}
