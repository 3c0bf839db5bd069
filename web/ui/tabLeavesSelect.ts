/**
 * Lets the Tab key leave an open select with several choices. The library takes it for Enter: it would undo the choice that was just made,
 * and the focus would stay. Leaving closes the list.
 */
export function tabLeavesSelect(): void {
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Tab' || !(event.target instanceof Element)) return;
    if (event.target.closest('.ant-select-multiple.ant-select-open')) event.stopPropagation();
  };
  window.addEventListener('keydown', leave, { capture: true });
}
