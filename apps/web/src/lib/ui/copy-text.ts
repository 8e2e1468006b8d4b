import { showToast } from './toasts.ts'

/** Copies a text and shows a toast. If the browser rejects it, the toast says how to copy by hand. */
export async function copyWithToast(text: string, done: string, byHand: string): Promise<void> {
  if (await copyText(text)) showToast({ title: 'Copied!', message: done })
  else showToast({ title: 'Could not copy', message: byHand, kind: 'destructive' })
}

/** Copies a text to the clipboard. Returns false if the browser rejects it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Insecure origins (plain HTTP, not localhost) have no `navigator.clipboard`.
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  // The text area must be next to the focused element, because an open dialog would pull the focus back from elsewhere.
  const place = focused?.parentElement ?? document.body
  place.append(area)
  // Not every browser focuses on `select()`, and only focused text is copied.
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
