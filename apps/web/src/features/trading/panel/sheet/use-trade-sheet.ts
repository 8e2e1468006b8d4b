import { useCallback, useState } from 'react'
import { useMedia } from '../../../../lib/hooks/use-media.ts'

/** Up to this width the panel is a sheet, as in trade-sheet.module.css and token-screen.module.css. */
const ONE_COLUMN = '(max-width: 61.99em)'

export interface Sheet {
  /** Whether the panel is a sheet at all; in a wide window it is part of the page. */
  readonly isSheet: boolean
  /** Whether the sheet covers the page. */
  readonly isOpen: boolean
  open(): void
  close(): void
}

interface SheetInput {
  /** False while nothing can be traded: then the panel is part of the page in every window. */
  readonly isUsed: boolean
  readonly startsOpen: boolean
}

/** The state of the sheet that holds the trade panel in a narrow window. */
export function useTradeSheet({ isUsed, startsOpen }: SheetInput): Sheet {
  const isSheet = useMedia(ONE_COLUMN) && isUsed
  const [isOpen, setOpen] = useState(startsOpen)
  if (isOpen && !isSheet) setOpen(false)
  return {
    isSheet,
    isOpen: isOpen && isSheet,
    open: useCallback(() => setOpen(true), []),
    close: useCallback(() => setOpen(false), []),
  }
}
