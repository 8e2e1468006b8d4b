import { useMemo } from 'react'
import { type Chart, type MarkedTrade, type TokenId, trpc } from '../../../lib/api/api.ts'
import { type Slot, type TimeAxis, toAxis, toSlots } from './slots.ts'

export interface ChartData {
  readonly chart: Chart | undefined
  readonly slots: readonly Slot[]
  readonly axis: TimeAxis
  readonly trades: readonly MarkedTrade[]
  /** Whether the chart shows older data while the requested data loads. */
  readonly isBusy?: boolean
  /** Undefined if the chart comes from another query. */
  readonly query?: {
    readonly data: Chart | undefined
    readonly isError: boolean
    readonly error: unknown
    refetch(): unknown
  }
}

const MINUTE_S = 60

/** Returns a chart on its time axis, which ends at `nowMs`. A chart of a past time shows no later data. */
export function useTimeAxis(
  chart: Chart | undefined,
  nowMs: number,
  isPast = false,
): Pick<ChartData, 'slots' | 'axis'> {
  return useMemo(() => {
    const widthMs = (chart?.width ?? MINUTE_S) * 1_000
    const slots = toSlots(chart?.candles ?? [], widthMs, nowMs)
    return { slots, axis: toAxis(slots, widthMs, isPast) }
  }, [chart, nowMs, isPast])
}

const NONE: readonly MarkedTrade[] = []

/**
 * The trades of the token's creator and of the player, newest first. The server sends these trades separately, because
 * a busy market pushes them out of `tokens.trades` within a second.
 */
export function useMarkedTrades(id: TokenId): readonly MarkedTrade[] {
  return trpc.tokens.markedTrades.useQuery({ id }).data ?? NONE
}
