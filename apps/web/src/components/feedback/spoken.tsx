import { createPortal } from 'react-dom'

/**
 * Returns the page's permanent live region (index.html). Screen readers do not announce a region that is added together
 * with its text.
 */
export function findLiveRegion(): HTMLElement {
  return document.getElementById('spoken') ?? document.body
}

/** A visible line that screen readers announce when it appears. */
export function Said({ look, children }: { look: string | undefined; children: string }) {
  return (
    <p className={look}>
      {children}
      <Spoken>{children}</Spoken>
    </p>
  )
}

/** Announces a text to screen readers when it appears. The text is not visible. */
export function Spoken({ children }: { children: string }) {
  return createPortal(<p className="visually-hidden">{children}</p>, findLiveRegion())
}
