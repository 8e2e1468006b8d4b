import { type KeyboardEvent, useRef } from 'react'
import type { Side } from '../order/preview-trade.ts'
import classes from './side-tabs.module.css'

const SIDES = [
  { side: 'buy', label: 'Buy', key: 'b' },
  { side: 'sell', label: 'Sell', key: 's' },
] as const

interface SideTabsProps {
  /** Prefix of the ids of the tabs (`-buy-tab`) and of the panel (`-panel`). */
  readonly id: string
  readonly side: Side
  readonly onChange: (side: Side) => void
}

export function SideTabs({ id, side, onChange }: SideTabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const other = side === 'buy' ? 'sell' : 'buy'
    onChange(other)
    list.current?.querySelector<HTMLElement>(`[data-side="${other}"]`)?.focus()
  }
  return (
    <div
      ref={list}
      className="round-s on-sunken grid p-xs cols-2 gap-xs"
      role="tablist"
      aria-label="Trade"
      onKeyDown={onKeyDown}
    >
      {SIDES.map((tab) => (
        <button
          key={tab.side}
          id={`${id}-${tab.side}-tab`}
          type="button"
          role="tab"
          className={`touch round-s dim bold hover-ink ${classes.tab}`}
          data-side={tab.side}
          aria-selected={tab.side === side}
          aria-controls={`${id}-panel`}
          aria-keyshortcuts={tab.key}
          tabIndex={tab.side === side ? 0 : -1}
          onClick={() => onChange(tab.side)}
        >
          {tab.label}
          <span className={`px-s round-s dim text-xs semibold edge inline-block ${classes.key}`} aria-hidden="true">
            {tab.key}
          </span>
        </button>
      ))}
    </div>
  )
}
