import { divIcon, type Map as LeafletMap, type Marker, marker as makeMarker, popup } from 'leaflet';
import type { Extent } from '../geo/position.ts';
import { Clusters, type Item, nearestMarker, singleItems } from './clusters.ts';
import { DotLayer } from './DotLayer.ts';
import type { MapModel } from './mapModel.ts';
import type { MarkerLook } from './markerLook.ts';

export interface MarkerSettings {
  isClustered: boolean;
  /** Groups that are switched on. */
  shown: readonly number[];
  lookOf: (group: number) => MarkerLook;
  bubbleOf: (count: number, group: number) => MarkerLook;
  colorOf: (group: number) => string;
  /** A description of the marker, for screen readers. */
  labelOf: (marker: number) => string;
  popupOf: ((marker: number) => HTMLElement) | null;
  tooltipOf: ((marker: number) => HTMLElement) | null;
}

/** More elements would make the page slow; then every marker is a dot on a canvas. */
const mostElements = 500;
const mostInOnePlace = 100;
/** In degrees: about a centimetre. */
const onePlace = 1e-7;
const popupSize = { maxHeight: 240, maxWidth: 320, autoPanPadding: [12, 12] as [number, number] };
/** The radius in pixels in which a click hits a dot. */
const reach = 8;

/** Draws the visible part of a model, and again when the map has moved. */
export class MarkerLayer {
  readonly #map: LeafletMap;
  readonly #model: MapModel;
  readonly #settings: MarkerSettings;
  readonly #clusters: Clusters;
  readonly #drawn = new Map<string, Marker>();
  #dots: DotLayer | null = null;

  constructor(map: LeafletMap, model: MapModel, settings: MarkerSettings) {
    this.#map = map;
    this.#model = model;
    this.#settings = settings;
    this.#clusters = new Clusters(model);
    map.on('moveend', this.#draw);
    map.on('click', this.#onClick);
    this.#draw();
  }

  remove(): void {
    this.#map.off('moveend', this.#draw);
    this.#map.off('click', this.#onClick);
    this.#map.closePopup();
    for (const drawn of this.#drawn.values()) drawn.remove();
    this.#drawn.clear();
    this.#dots?.remove();
  }

  readonly #draw = (): void => {
    const { isClustered, shown } = this.#settings;
    const extent = this.#extent();
    const items = isClustered
      ? this.#clusters.items(extent, Math.round(this.#map.getZoom()), shown)
      : singleItems(this.#model, extent, shown, mostElements);
    if (items === null || items.length > mostElements * 2) {
      this.#show([]);
      this.#dots ??= new DotLayer(this.#model, shown, this.#settings.colorOf).addTo(this.#map);
      return;
    }
    this.#dots?.remove();
    this.#dots = null;
    this.#show(items);
  };

  /** The visible area, and a little around it. */
  #extent(): Extent {
    const bounds = this.#map.getBounds().pad(0.25);
    return { south: bounds.getSouth(), west: bounds.getWest(), north: bounds.getNorth(), east: bounds.getEast() };
  }

  #show(items: readonly Item[]): void {
    const wanted = new Set(items.map(({ key }) => key));
    for (const [key, drawn] of this.#drawn) {
      // A marker with an open popup is kept.
      if (wanted.has(key) || drawn.isPopupOpen()) continue;
      drawn.remove();
      this.#drawn.delete(key);
    }
    for (const item of items) {
      if (this.#drawn.has(item.key)) continue;
      this.#drawn.set(item.key, this.#markerOf(item).addTo(this.#map));
    }
  }

  #markerOf(item: Item): Marker {
    const { lookOf, bubbleOf, labelOf, popupOf, tooltipOf } = this.#settings;
    const isBubble = item.count > 1;
    const { svg, size, anchor } = isBubble ? bubbleOf(item.count, item.group) : lookOf(item.group);
    const label = isBubble ? `${item.count} markers` : labelOf(item.marker);
    const made = makeMarker([item.lat, item.lng], {
      icon: divIcon({ html: svg, iconSize: size, iconAnchor: anchor, popupAnchor: [0, 8 - anchor[1]], className: '' }),
      alt: label,
      keyboard: true,
      riseOnHover: true,
    });
    made.on('add', () => made.getElement()?.setAttribute('aria-label', label));
    if (isBubble) {
      made.on('click', () => this.#open(item, made));
      made.on('keypress', ({ originalEvent }) => originalEvent.key === 'Enter' && this.#open(item, made));
    } else {
      if (popupOf) made.bindPopup(() => popupOf(item.marker), popupSize);
      if (tooltipOf) made.bindTooltip(() => tooltipOf(item.marker), { direction: 'top', offset: [0, -anchor[1]] });
    }
    return made;
  }

  /** Zooms in until the bubble splits; markers in one place are listed. */
  #open(item: Item, bubble: Marker): void {
    const { south, west, north, east } = item.extent;
    const isOnePlace = north - south < onePlace && east - west < onePlace;
    if (!isOnePlace && this.#map.getZoom() < this.#map.getMaxZoom()) {
      this.#map.fitBounds(
        [
          [south, west],
          [north, east],
        ],
        { animate: false, padding: [48, 48], maxZoom: this.#map.getMaxZoom() },
      );
      return;
    }
    const { popupOf, labelOf } = this.#settings;
    const markers = this.#clusters.markersOf(item, mostInOnePlace);
    const list = document.createElement('div');
    for (const one of markers) {
      const entry = popupOf ? popupOf(one) : document.createElement('div');
      if (!popupOf) entry.textContent = labelOf(one);
      list.append(entry, document.createElement('hr'));
    }
    list.lastElementChild?.remove();
    if (item.count > markers.length) list.append(`and ${item.count - markers.length} more in the same place`);
    popup({ ...popupSize, offset: [0, -8] })
      .setLatLng(bubble.getLatLng())
      .setContent(list)
      .openOn(this.#map);
  }

  readonly #onClick = ({ latlng }: { latlng: { lat: number; lng: number } }): void => {
    const { popupOf, shown } = this.#settings;
    if (!this.#dots || !popupOf) return;
    const found = nearestMarker(this.#model, latlng, reach / (256 * 2 ** this.#map.getZoom()), shown);
    if (found === null) return;
    const place: [number, number] = [this.#model.lat[found] ?? 0, this.#model.lon[found] ?? 0];
    popup(popupSize).setLatLng(place).setContent(popupOf(found)).openOn(this.#map);
  };
}
