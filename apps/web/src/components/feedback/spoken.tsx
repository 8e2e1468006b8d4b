import { createPortal } from 'react-dom'

/**
 * Returns the permanent live region in index.html. A permanent one is needed, because screen readers do not announce a
 * region that is added together with its text.
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

/** Makes screen readers announce a text that is not visible. */
export function Spoken({ children }: { children: string }) {
  return createPortal(<p className="visually-hidden">{children}</p>, findLiveRegion())
}
