import { breakEvenPrice, Decimal, priceText, readPool } from '@papermoon/amm'
import { formatSol, formatTokensShort } from '@papermoon/format'
import type { ECharts } from 'echarts/core'
import { type PointerEvent, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { type Token, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { askToChange } from '../../lib/market/asked-change.ts'
import type { ValueUnit } from '../../lib/market/value-unit.ts'
import { axisLabel, GRID, toPlotPrice, toPrice } from './chart-axis.ts'
import classes from './chart-card.module.css'

/** A price line of the player, in lamports per token. */
export interface Level {
  readonly name: string
  readonly value: number
  /**
   * Opens the line's order, with the price in SOL to which the line was dragged, or null. If this function is
   * undefined, the line cannot be moved.
   */
  readonly onPick?: ((movedTo: string | null) => void) | undefined
}

/**
 * Returns the price lines: the break-even price of the player's holding, and the triggers of the player's waiting
 * orders.
 */
export function useLevels(token: Token): Level[] {
  const breakEven = useBreakEven(token)
  const isPlayer = useCurrentUser() !== null && token.ruggedAt === null
  const { data } = trpc.waitingOrders.list.useQuery({ tokenId: token.id }, { enabled: isPlayer })
  return useMemo(() => {
    const orders = (data?.orders ?? []).flatMap(({ id: orderId, kind, left, below, above, isTriggered }) => {
      const size = kind === 'buy' ? `${formatSol(left, 2)} SOL` : formatTokensShort(left)
      const level = (name: string, trigger: 'below' | 'above', price: string | null): Level[] => {
        if (price === null || price === '0') return []
        const onPick = (moved: string | null) =>
          askToChange({ orderId, ...(moved !== null && { moved: { trigger, price: moved } }) })
        return [{ name: `${name} ${size}`, value: toPlotPrice(price), onPick: isTriggered ? undefined : onPick }]
      }
      return [
        ...level(kind === 'buy' ? 'Buy' : 'Stop', 'below', below),
        ...level(isTriggered ? 'Triggered, sell' : 'Sell', 'above', above),
      ]
    })
    return breakEven === null ? orders : [{ name: 'Your break-even', value: toPlotPrice(breakEven) }, ...orders]
  }, [data, breakEven])
}

/** Max number of significant digits of the break-even price, so that roundings in the pool do not draw it again. */
const BREAK_EVEN_DIGITS = 8

/**
 * Returns the price at which selling the player's whole holding would pay what it cost. Returns null if the player
 * holds nothing.
 */
function useBreakEven({ id, ruggedAt, pool }: Token): string | null {
  const user = useCurrentUser()
  const { data } = trpc.trading.position.useQuery({ tokenId: id }, { enabled: user !== null })
  if (user === null || ruggedAt !== null || data === undefined || data.amount === '0') return null
  const position = { amount: new Decimal(data.amount), cost: new Decimal(data.cost) }
  return priceText(breakEvenPrice(readPool(pool), position).toSignificantDigits(BREAK_EVEN_DIGITS))
}

/** The line that the player is dragging, by its index. */
export interface Drag {
  readonly position: number
  readonly value: number
}

interface PriceTagsProps {
  readonly chart: ECharts
  readonly levels: readonly Level[]
  readonly last: { readonly value: number; readonly isDown: boolean }
  readonly unit: ValueUnit
  readonly onDrag: (drag: Drag | null) => void
}

/** Labels the price lines, and shows the latest price at the axis. ECharts draws the lines themselves. */
export function PriceTags({ chart, levels, last, unit, onDrag }: PriceTagsProps) {
  const [lastY, ...ys] = useLineYs(chart, [last, ...levels])
  if (lastY === undefined) return null
  const edges = { top: GRID.top, bottom: chart.getHeight() - GRID.bottom }
  const arrow = (y: number) => (y < edges.top ? ' ↑' : y > edges.bottom ? ' ↓' : '')
  const tops = spreadTags(ys, edges)
  return (
    <>
      <span
        className={`absolute untouchable p-xs-s round-s text-xs bold nowrap ${last.isDown ? 'down' : 'up'} ${classes.last}`}
        aria-hidden="true"
        style={{ width: GRID.right, top: spreadTags([lastY], edges)[0] }}
      >
        <span>{axisLabel(last.value, unit) + arrow(lastY)}</span>
      </span>
      {levels.map(({ name, onPick }, position) => {
        const y = ys[position] ?? 0
        const key = `${name} ${position}`
        const look = {
          className: `absolute px-s round-s on-surface accent text-xs bold nowrap ${classes.level}`,
          style: { left: GRID.left, top: tops[position] },
          children: name + arrow(y),
        }
        if (onPick === undefined) return <span key={key} aria-hidden="true" {...look} />
        const drag = {
          chart,
          y,
          onDrag: (value: number | null) => onDrag(value === null ? null : { position, value }),
          onPick,
        }
        return (
          <button
            key={key}
            type="button"
            title="Drag to change this price"
            aria-label={`Change: ${name}`}
            // Handle only key presses here, because the pointer handler has already opened the order.
            onClick={({ detail }) => detail === 0 && onPick(null)}
            {...look}
            {...dragTag(drag)}
          />
        )
      })}
    </>
  )
}

/**
 * Returns the y positions at which ECharts draws the price lines, in px from the top of the chart. The positions are
 * updated in every frame.
 */
function useLineYs(chart: ECharts, lines: readonly { readonly value: number }[]): readonly number[] {
  const [ys, setYs] = useState<readonly number[]>([])
  const update = useEffectEvent(() => {
    const next = lines.map(({ value }) => chart.convertToPixel({ yAxisIndex: 0 }, value))
    setYs((before) => (String(before) === String(next) ? before : next))
  })
  useEffect(() => {
    const onRendered = () => update()
    onRendered()
    chart.on('rendered', onRendered)
    return () => void chart.off('rendered', onRendered)
  }, [chart])
  return ys
}

/** Height of a label including its gap, in px. */
const TAG_HEIGHT = 20

/** Returns the positions of the labels: at their lines, inside the plot, and without overlaps. */
export function spreadTags(ys: readonly number[], { top, bottom }: { top: number; bottom: number }): number[] {
  const order = ys.map((_, position) => position).sort((one, other) => (ys[one] ?? 0) - (ys[other] ?? 0))
  const positions: number[] = []
  let from = top
  for (const position of order) {
    positions[position] = Math.max(ys[position] ?? 0, from)
    from = (positions[position] ?? 0) + TAG_HEIGHT
  }
  let to = bottom
  for (const position of order.reverse()) {
    positions[position] = Math.min(positions[position] ?? 0, to)
    to = (positions[position] ?? 0) - TAG_HEIGHT
  }
  return positions
}

/** Max distance that the pointer may move in a click, in px. */
const DRAG_MIN = 4

interface Dragging {
  readonly chart: ECharts
  readonly y: number
  readonly onDrag: (value: number | null) => void
  readonly onPick: (movedTo: string | null) => void
}

/**
 * Returns handlers that drag a line with a mouse or pen. On a touch screen, a line cannot be dragged, because a swipe
 * scrolls the page; a tap opens the order.
 */
function dragTag({ chart, y, onDrag, onPick }: Dragging) {
  const moved = ({ clientY, currentTarget }: PointerEvent<HTMLElement>) => {
    const { from, top } = currentTarget.dataset
    const by = clientY - Number(from)
    if (Math.abs(by) < DRAG_MIN) return null
    return Math.max(Number(chart.convertFromPixel({ yAxisIndex: 0 }, Number(top) + by)), 0)
  }
  return {
    onPointerDown: ({ currentTarget, clientY, pointerId, pointerType }: PointerEvent<HTMLElement>) => {
      Object.assign(currentTarget.dataset, { from: clientY, top: y })
      if (pointerType !== 'touch') currentTarget.setPointerCapture(pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) onDrag(moved(event))
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const value = event.pointerType === 'touch' ? null : moved(event)
      onDrag(null)
      onPick(value === null ? null : toPrice(value))
    },
    onPointerCancel: () => onDrag(null),
  }
}
