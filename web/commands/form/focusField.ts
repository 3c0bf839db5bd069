/** Scrolls to a field with a fault and focuses it. */
export function focusField(id: string, name: string): void {
  const control = document.getElementById(`${id}-${name}`);
  control?.scrollIntoView({ block: 'center' });
  control?.focus({ preventScroll: true });
}
