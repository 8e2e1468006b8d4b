import { useEffect, useState } from 'react'
import type { Post } from '../../../lib/api/api.ts'
import classes from '../chart-card.module.css'
import { type Slot, toExtremes } from '../data/candle-window.ts'
import { findSlot } from '../data/chart-window.ts'
import { placeLastLabel } from './last-price.ts'
import { computeBand, MARGIN, type Plot, toPlotPrice } from './plot-layout.ts'
import { computePriceScale } from './price-scale.ts'

interface PostMarkProps {
  readonly slots: readonly Slot[]
  readonly widthMs: number
  readonly plot: Plot
}

/** Where the post that someone points at was written: its time, and the price of then. Nothing if the window ends before it. */
export function PostMark({ slots, widthMs, plot }: PostMarkProps) {
  const post = useMarkedPost()
  if (post === null || post.price === null) return null
  const timeMs = Date.parse(post.createdAt)
  const place = findSlot(slots, timeMs)
  const slot = slots[place]
  // Outside of the window, or in a gap that is longer than the axis.
  if (slot === undefined || timeMs >= slot.timeMs + widthMs) return null
  const left = MARGIN.left + (place + 0.5) * computeBand(plot, slots.length)
  const { y } = placeLastLabel(toPlotPrice(post.price), computePriceScale(toExtremes(slots)), plot)
  return (
    <span className={classes.postMark} aria-hidden="true" style={{ left, top: MARGIN.top, bottom: MARGIN.bottom }}>
      <span style={{ top: y - MARGIN.top }}>💬</span>
    </span>
  )
}

type MarkedPost = Pick<Post, 'price' | 'createdAt'>

/** The talk tells by an event which post someone points at or is in; null: none. A module of both would be a part of its own. */
function useMarkedPost(): MarkedPost | null {
  const [post, setPost] = useState<MarkedPost | null>(null)
  useEffect(() => {
    const mark = (event: Event) => setPost((event as CustomEvent<MarkedPost | null>).detail)
    addEventListener('papermoon-post', mark)
    return () => removeEventListener('papermoon-post', mark)
  }, [])
  return post
}
