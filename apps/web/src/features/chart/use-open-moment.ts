import { useNavigate } from '@tanstack/react-router'
import { type Chart, cache, type TokenId } from '../../lib/api/api.ts'
import { getSentence } from '../../lib/api/failure.ts'
import { showFailure } from '../../lib/ui/toasts.ts'
import type { Slot } from './data/candle-window.ts'
import type { View } from './data/chart-views.ts'
import { lastPlace } from './echarts/chart-place.ts'

interface OpenMomentProps {
  readonly chart: Chart | undefined
  /** Drawn columns, each `widthMs` wide. */
  readonly slots: readonly Slot[]
  readonly widthMs: number
  readonly view: View
}

/** Opens the token's page as it was at a place of the chart: right after a tick, or at the end of a candle. */
export function useOpenMoment(id: TokenId, { chart, slots, widthMs, view }: OpenMomentProps): (place: number) => void {
  const navigate = useNavigate()
  const open = (seq: number) => navigate({ to: '/token/$id', params: { id: String(id) }, search: { at: seq } })
  return (place) => {
    if (chart === undefined) return
    const tick = view === 'ticks' ? chart.ticks[place] : undefined
    if (tick !== undefined) return void open(tick.seq)
    const slot = slots[Math.min(place, lastPlace({ slots, ticks: chart.ticks, view }))]
    if (slot === undefined || view === 'ticks') return
    const time = new Date(slot.timeMs + widthMs - 1).toISOString()
    cache.past.at
      .fetch({ tokenId: id, time }, { staleTime: 0 })
      .then(({ seq }) => open(seq))
      .catch((error: unknown) => showFailure('Not Opened', getSentence(error), 'That moment did not come'))
  }
}
