import { copyText } from './copy-text.ts'
import { showFailure, showToast } from './toasts.ts'

interface SharedCard {
  readonly path: string
  readonly name: string
  readonly text: string
  /** The text or URL to copy if no picture can be shared (default: the picture's own URL). */
  readonly link?: string
}

/** Shares a picture through the device's share dialog, or copies a URL if the device cannot share files. */
export async function shareCard({ path, name, text, link = path }: SharedCard): Promise<void> {
  const url = new URL(link, location.origin).href
  const fetchCard = async () => ({
    files: [new File([await (await fetch(path)).blob()], name, { type: 'image/png' })],
    text,
  })
  if (typeof navigator.canShare === 'function' && (await offerToShare(fetchCard))) return
  if (await copyText(url)) showToast({ title: 'Copied!', message: 'Link to the card copied to clipboard' })
  else showFailure('Could not copy', null, url)
}

/** Opens the device's share dialog. Returns false if the device cannot share the data. */
export async function offerToShare(load: () => ShareData | Promise<ShareData>): Promise<boolean> {
  try {
    const data = await load()
    if (data.files && !navigator.canShare(data)) return false
    await navigator.share(data)
    return true
  } catch (error) {
    // An `AbortError` means that the player closed the share dialog.
    return error instanceof DOMException && error.name === 'AbortError'
  }
}
