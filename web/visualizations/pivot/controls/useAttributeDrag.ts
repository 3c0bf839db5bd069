import { type PointerEvent, useRef, useState } from 'react';
import { type Zone, zones } from './moveAttribute.ts';

export interface DropPlace {
  name: string;
  zone: Zone;
  index: number;
}

/** The distance before a drag begins, so that a trembling finger does not drag. */
const threshold = 5;

/** Drags an attribute from zone to zone. A press without moving stays a click. */
export function useAttributeDrag(onDrop: (place: DropPlace) => void) {
  const [place, setPlace] = useState<DropPlace | null>(null);
  const wasDragged = useRef(false);

  const start = (event: PointerEvent<HTMLElement>, name: string) => {
    if (event.button !== 0) return;
    const chip = event.currentTarget;
    const from = { x: event.clientX, y: event.clientY };
    let over: DropPlace | null = null;
    wasDragged.current = false;
    const onMove = ({ clientX, clientY }: globalThis.PointerEvent) => {
      if (!wasDragged.current && Math.hypot(clientX - from.x, clientY - from.y) < threshold) return;
      wasDragged.current = true;
      over = placeAt(clientX, clientY, name) ?? over;
      setPlace(over);
    };
    const end = (isDropped: boolean) => {
      chip.removeEventListener('pointermove', onMove);
      chip.removeEventListener('pointerup', onUp);
      chip.removeEventListener('pointercancel', onCancel);
      setPlace(null);
      if (isDropped && wasDragged.current && over) onDrop(over);
    };
    const onUp = () => end(true);
    const onCancel = () => end(false);
    chip.setPointerCapture(event.pointerId);
    chip.addEventListener('pointermove', onMove);
    chip.addEventListener('pointerup', onUp);
    chip.addEventListener('pointercancel', onCancel);
  };
  return { place, start, wasDragged };
}

function placeAt(x: number, y: number, name: string): DropPlace | null {
  const element = document.elementsFromPoint(x, y).find((one) => one instanceof HTMLElement && one.dataset.zone !== undefined);
  const zone = zones.find((one) => element instanceof HTMLElement && one === element.dataset.zone);
  if (!element || !zone) return null;
  const chips = [...element.querySelectorAll<HTMLElement>('[data-attribute]')].filter((chip) => chip.dataset.attribute !== name);
  const index = chips.filter((chip) => {
    const box = chip.getBoundingClientRect();
    return box.bottom < y || (box.top <= y && box.left + box.width / 2 < x);
  }).length;
  return { name, zone, index };
}
