/** Whether somebody is in the list: with the pointer or the focus, or scrolled down into it. */
export function isBeingRead(list: HTMLElement | null): boolean {
  if (list === null) return false
  return list.matches(':hover') || list.contains(document.activeElement) || list.getBoundingClientRect().top < 0
}
