import { Layer, type Map as LeafletMap } from 'leaflet';
import { worldX, worldY } from '../geo/position.ts';
import type { MapModel } from './mapModel.ts';

const radius = 5;
/** In pixels: of dots this close only the first is drawn, because it covers the others. */
const grain = 3;

/** Markers too many for elements: dots on one canvas that covers the visible area. */
export class DotLayer extends Layer {
  readonly #model: MapModel;
  readonly #shown: ReadonlySet<number>;
  readonly #colorOf: (group: number) => string;
  readonly #canvas = document.createElement('canvas');
  #place: LeafletMap | null = null;

  constructor(model: MapModel, shown: readonly number[], colorOf: (group: number) => string) {
    super();
    this.#model = model;
    this.#shown = new Set(shown);
    this.#colorOf = colorOf;
  }

  override onAdd(map: LeafletMap): this {
    this.#place = map;
    this.#canvas.className = 'leaflet-zoom-hide';
    map.getPanes().overlayPane.append(this.#canvas);
    map.on('moveend resize', this.#draw);
    this.#draw();
    return this;
  }

  override onRemove(map: LeafletMap): this {
    map.off('moveend resize', this.#draw);
    this.#canvas.remove();
    this.#place = null;
    return this;
  }

  readonly #draw = (): void => {
    const map = this.#place;
    const context = this.#canvas.getContext('2d');
    if (!map || !context) return;
    const { x: width, y: height } = map.getSize();
    const ratio = Math.min(2, devicePixelRatio || 1);
    this.#canvas.width = width * ratio;
    this.#canvas.height = height * ratio;
    this.#canvas.style.cssText = `position:absolute;width:${width}px;height:${height}px;pointer-events:none`;
    const corner = map.containerPointToLayerPoint([0, 0]);
    this.#canvas.style.transform = `translate(${corner.x}px, ${corner.y}px)`;
    const { min } = map.getPixelBounds();
    if (!min) return;
    const size = 256 * 2 ** map.getZoom();
    const sprites = new Map([...this.#shown].map((group) => [group, sprite(this.#colorOf(group), ratio)]));
    const side = (radius + 1) * 2;
    const { lat, lon, group } = this.#model;
    context.scale(ratio, ratio);
    const across = Math.ceil(width / grain) + 8;
    const taken = new Uint8Array(across * (Math.ceil(height / grain) + 8));
    for (let marker = 0; marker < lat.length; marker += 1) {
      const dot = sprites.get(group[marker] ?? 0);
      if (!dot) continue;
      const x = worldX(lon[marker] ?? 0) * size - min.x;
      if (x < -radius || x > width + radius) continue;
      const y = worldY(lat[marker] ?? 0) * size - min.y;
      if (y < -radius || y > height + radius) continue;
      const place = (Math.floor(y / grain) + 4) * across + Math.floor(x / grain) + 4;
      if (taken[place]) continue;
      taken[place] = 1;
      context.drawImage(dot, x - radius - 1, y - radius - 1, side, side);
    }
  };
}

/** A dot, drawn once and stamped a hundred thousand times. */
function sprite(color: string, ratio: number): HTMLCanvasElement {
  const side = (radius + 1) * 2;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = Math.ceil(side * ratio);
  const context = canvas.getContext('2d');
  if (!context) return canvas;
  context.scale(ratio, ratio);
  context.beginPath();
  context.arc(side / 2, side / 2, radius, 0, Math.PI * 2);
  context.fillStyle = color;
  context.fill();
  context.strokeStyle = 'rgba(255, 255, 255, 0.85)';
  context.stroke();
  return canvas;
}
