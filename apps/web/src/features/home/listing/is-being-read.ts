/** Whether the visitor uses the list: hovers over it, has the focus in it, or has scrolled into it. */
export function isBeingRead(list: HTMLElement | null): boolean {
  if (list === null) return false
  return list.matches(':hover') || list.contains(document.activeElement) || list.getBoundingClientRect().top < 0
}
