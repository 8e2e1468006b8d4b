import { showToast } from './toasts.ts'

/** Copies a text and shows a toast. If copying fails, the toast says how to copy by hand. */
export async function copyWithToast(text: string, done: string, byHand: string): Promise<void> {
  if (await copyText(text)) showToast({ title: 'Copied!', message: done })
  else showToast({ title: 'Could not copy', message: byHand, kind: 'destructive' })
}

/** Copies a text to the clipboard. Returns false if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Use a selection, because insecure origins (plain HTTP, not localhost) have no `navigator.clipboard`.
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  // Put the text area next to the focused element, because an open dialog would otherwise take the focus back.
  const place = focused?.parentElement ?? document.body
  place.append(area)
  // Focus the text area, because browsers copy only focused text, and not every browser focuses it on `select()`.
  area.focus()
  area.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    area.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
