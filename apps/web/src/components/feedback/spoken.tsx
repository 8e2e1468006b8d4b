import { createPortal } from 'react-dom'

/** The page's lasting live region (index.html): screen readers miss a region that arrives together with its text. */
export function findLiveRegion(): HTMLElement {
  return document.getElementById('spoken') ?? document.body
}

/** A line that is shown, and said to screen readers when it appears. */
export function Said({ look, children }: { look: string | undefined; children: string }) {
  return (
    <p className={look}>
      {children}
      <Spoken>{children}</Spoken>
    </p>
  )
}

/** Says a text to screen readers when it appears; it is not shown. */
export function Spoken({ children }: { children: string }) {
  return createPortal(<p className="visually-hidden">{children}</p>, findLiveRegion())
}
