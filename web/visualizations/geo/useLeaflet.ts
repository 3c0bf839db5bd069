import 'leaflet/dist/leaflet.css';
import { control, type Map as LeafletMap, map as makeMap } from 'leaflet';
import { type RefObject, useLayoutEffect, useState } from 'react';
import './leaflet.css';

interface Behaviour {
  /** The limits of zooming. */
  maxZoom: number;
  /** Shows a scale in the corner. */
  hasScale?: boolean;
  /** Steps of zooming. */
  zoomSnap?: number;
}

/** A map that is removed with its component. The wheel scrolls the page, not the map (visualizations 10, 11). */
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
      // The map moves only when the user moves it.
      zoomAnimation: false,
      fadeAnimation: false,
      markerZoomAnimation: false,
      // useView handles sizes, because it knows whether the user has moved the map.
      trackResize: false,
    });
    made.setView([20, 0], 1);
    control.zoom({ position: 'topleft', zoomInTitle: 'Zoom in', zoomOutTitle: 'Zoom out' }).addTo(made);
    if (hasScale) control.scale({ position: 'bottomleft', maxWidth: 120 }).addTo(made);
    let isPopupOpen = false;
    made.on('popupopen popupclose', ({ type }) => {
      isPopupOpen = type === 'popupopen';
    });
    // The library handles the key only while the map itself has the focus, not one of its markers.
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !isPopupOpen) return;
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
