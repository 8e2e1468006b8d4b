import { useMediaQuery } from '@mantine/hooks'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import classes from './trade-sheet.module.css'

/** Min distance in px that the player must drag the sheet down to close it. */
const DRAG_PX = 70
const FOCUSABLE = 'a[href], button:not(:disabled), input, summary, [tabindex="0"]'

interface TradeSheetProps {
  readonly sheet: ReturnType<typeof useTradeSheet>
  readonly label: string
  readonly children: ReactNode
}

/**
 * A container for the trade panel. In a wide window, the container adds nothing. In a narrow window, the container is a
 * modal sheet at the bottom. The panel stays mounted while the sheet is closed, so that typed values remain.
 */
export function TradeSheet({ sheet, label, children }: TradeSheetProps) {
  const { isSheet, isOpen, close } = sheet
  const box = useRef<HTMLDivElement>(null)
  useModalFocus(box, isOpen)
  useKeyboardInset(box, isOpen)
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (!isOpen) return
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') keepTabInside(event)
  }
  return (
    // Use the same elements for both window sizes, because the panel would lose its typed values if its parents
    // changed.
    <div className={classes.layer} data-trade-sheet={isSheet ? (isOpen ? 'open' : 'closed') : 'none'}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Escape and the button close it too. */}
      <div className={classes.backdrop} onClick={close} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it has a role while it is open. */}
      <div
        ref={box}
        className={`stack mx-auto on-surface high-shadow ${classes.sheet}`}
        {...(isOpen && { role: 'dialog', 'aria-modal': true, 'aria-label': label })}
        tabIndex={isSheet ? -1 : undefined}
        onKeyDown={onKeyDown}
      >
        <div className={`absolute ${classes.grip}`} {...dragDown(box, close)}>
          <button
            type="button"
            className={`round on-surface dim absolute touch-high touch-wide ${classes.close}`}
            aria-label="Close"
            onClick={close}
          >
            <span aria-hidden="true">✕</span>
          </button>
        </div>
        <div className={`scrolls ${classes.scroll}`}>{children}</div>
      </div>
    </div>
  )
}

/** Focuses the sheet when it opens, unless the focus is already in it. Returns the focus when the sheet closes. */
function useModalFocus(box: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return
    const before = document.activeElement
    // Focus no field, because a phone's keyboard would cover the sheet.
    if (box.current?.contains(before) === false) box.current.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [box, isOpen])
}

/**
 * Positions the sheet above a phone's keyboard. This is needed because in some browsers, the keyboard covers fixed
 * elements without resizing the page.
 */
function useKeyboardInset(box: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useEffect(() => {
    const view = window.visualViewport
    if (!isOpen || view === null) return
    const place = () => {
      const covered = Math.max(0, window.innerHeight - view.height - view.offsetTop)
      box.current?.style.setProperty('--covered', `${Math.round(covered)}px`)
    }
    place()
    view.addEventListener('resize', place)
    view.addEventListener('scroll', place)
    return () => {
      view.removeEventListener('resize', place)
      view.removeEventListener('scroll', place)
    }
  }, [box, isOpen])
}

function keepTabInside(event: KeyboardEvent<HTMLDivElement>): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(isTabStop)
  const [first, last] = [stops[0], stops.at(-1)]
  const { activeElement } = document
  const isFirst = activeElement === first || activeElement === event.currentTarget
  const next = event.shiftKey ? (isFirst ? last : null) : activeElement === last ? first : null
  if (next == null) return
  event.preventDefault()
  next.focus()
}

function isTabStop(element: HTMLElement): boolean {
  return element.tabIndex >= 0 && element.checkVisibility()
}

/** Returns pointer handlers that drag the sheet down. Beyond `DRAG_PX`, they close it. */
function dragDown(box: RefObject<HTMLElement | null>, close: () => void) {
  let startY: number | null = null
  const moved = (event: PointerEvent) => (startY === null ? 0 : Math.max(0, event.clientY - startY))
  const drop = () => {
    startY = null
    if (box.current !== null) box.current.style.translate = ''
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if ((event.target as Element).closest('button') !== null) return
      startY = event.clientY
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (startY !== null && box.current !== null) box.current.style.translate = `0 ${moved(event)}px`
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const isClosing = moved(event) >= DRAG_PX
      drop()
      if (isClosing) close()
    },
    onPointerCancel: drop,
  }
}

/** Media query for windows in which the panel is a sheet, as in trade-sheet.module.css and token-screen.module.css. */
const ONE_COLUMN = '(max-width: 61.99em)'

interface SheetInput {
  /** Whether trading is possible. If trading is impossible, the panel is part of the page in every window. */
  readonly isUsed: boolean
  readonly startsOpen: boolean
}

/** Opens and closes the sheet with the trade panel in a narrow window. */
export function useTradeSheet({ isUsed, startsOpen }: SheetInput) {
  const isSheet = useMediaQuery(ONE_COLUMN, undefined, { getInitialValueInEffect: false }) && isUsed
  const [isOpen, setOpen] = useState(startsOpen)
  if (isOpen && !isSheet) setOpen(false)
  return {
    /** Whether the window is narrow, so that the trade panel is a sheet and not a part of the page. */
    isSheet,
    isOpen: isOpen && isSheet,
    open: useCallback(() => setOpen(true), []),
    close: useCallback(() => setOpen(false), []),
  }
}
