import { renderSVG } from 'uqr'

/** Number of blank cells around the code, which scanners require. */
const QUIET_CELLS = 3

interface QrCodeProps {
  readonly text: string
  /** Text for screen readers that says what the code contains. */
  readonly label: string
}

/**
 * Draws a text as a QR code in the browser, black on white, because scanners require it. The text is never sent
 * anywhere. Import this component lazily, because it contains the QR code library.
 */
export function QrCode({ text, label }: QrCodeProps) {
  const picture = renderSVG(text, { ecc: 'M', border: QUIET_CELLS })
  const url = `data:image/svg+xml,${encodeURIComponent(picture)}`
  return <img className="block round-s" src={url} alt={label} width={188} height={188} />
}
