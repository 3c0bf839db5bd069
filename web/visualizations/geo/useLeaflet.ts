import 'leaflet/dist/leaflet.css';
import { control, type Map as LeafletMap, map as makeMap } from 'leaflet';
import { type RefObject, useLayoutEffect, useState } from 'react';
import './leaflet.css';

interface Behaviour {
  /** How far one may go in and out. */
  maxZoom: number;
  /** A scale in the corner. */
  hasScale?: boolean;
  /** Steps of zooming. */
  zoomSnap?: number;
}

/** A map that goes with its component. The wheel scrolls the page, not the map (visualizations 10, 11). */
export function useLeaflet(
  place: RefObject<HTMLElement | null>,
  { maxZoom, hasScale = false, zoomSnap = 1 }: Behaviour,
): LeafletMap | null {
  const [map, setMap] = useState<LeafletMap | null>(null);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const made = makeMap(element, {
      scrollWheelZoom: false,
      zoomControl: false,
      attributionControl: false,
      maxZoom,
      zoomSnap,
      // Moves only when somebody moves it.
      zoomAnimation: false,
      fadeAnimation: false,
      markerZoomAnimation: false,
      // useView does it, and knows whether somebody has moved the map.
      trackResize: false,
    });
    made.setView([20, 0], 1);
    control.zoom({ position: 'topleft', zoomInTitle: 'Zoom in', zoomOutTitle: 'Zoom out' }).addTo(made);
    if (hasScale) control.scale({ position: 'bottomleft', maxWidth: 120 }).addTo(made);
    let isTold = false;
    made.on('popupopen popupclose', ({ type }) => {
      isTold = type === 'popupopen';
    });
    // The library hears the key only while the map itself has the focus, not one of its markers.
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !isTold) return;
      made.closePopup();
      event.stopPropagation();
    };
    element.addEventListener('keydown', onKey);
    setMap(made);
    return () => {
      element.removeEventListener('keydown', onKey);
      setMap(null);
      made.remove();
    };
  }, [place, maxZoom, hasScale, zoomSnap]);
  return map;
}
