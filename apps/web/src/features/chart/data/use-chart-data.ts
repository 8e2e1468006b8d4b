import { useMemo } from 'react'
import { type Chart, type MarkedTrade, type TokenId, trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { candlesWithin, findRange, type Range, type Slot, toSlots } from './candle-window.ts'
import type { Marked } from './trade-marks.ts'

export interface DrawnData {
  readonly chart: Chart | undefined
  readonly slots: readonly Slot[]
  readonly widthMs: number
  readonly range: Range
  readonly trades: readonly MarkedTrade[]
  readonly traders: Marked
}

export interface ChartData extends DrawnData {
  /** Whether other data than the requested one is shown while that loads. */
  readonly isBusy: boolean
  readonly failure: { readonly error: unknown; readonly retry: () => void } | null
}

interface Source {
  readonly chart: Chart | undefined
  readonly trades: readonly MarkedTrade[]
  readonly creatorId: number
  /** Where the time axis ends, ms since the epoch. */
  readonly nowMs: number
  /** A moment of the past, after which the axis has nothing. */
  readonly isPast?: boolean
}

const NOTHING: { slots: readonly Slot[]; range: Range } = { slots: [], range: { high: null, low: null } }

export function useChartData({ chart, trades, creatorId, nowMs, isPast = false }: Source): DrawnData {
  const ownId = useCurrentUser()?.id ?? null
  const { slots, range } = useMemo(() => {
    if (chart === undefined) return NOTHING
    const candles = candlesWithin(chart, nowMs)
    return { slots: toSlots(candles, chart.width, nowMs, isPast ? 0 : undefined), range: findRange(chart, candles) }
  }, [chart, nowMs, isPast])
  const traders = useMemo(() => ({ ownId, creatorId }), [ownId, creatorId])
  return { chart, slots, widthMs: (chart?.width ?? 60) * 1_000, range, trades, traders }
}

const NONE: readonly MarkedTrade[] = []

/**
 * Trades of the token's creator and of the player, newest first. Fetched separately, because a busy market pushes them
 * out of `tokens.trades` within a second.
 */
export function useMarkedTrades(id: TokenId): readonly MarkedTrade[] {
  return trpc.tokens.markedTrades.useQuery({ id }).data ?? NONE
}
