import { useEffect, useState } from 'react'
import { cache, type TapePlay } from '../../lib/api/api.ts'
import { deviceNow } from '../../lib/api/server-now.ts'
import { useFeed } from '../../lib/live/follow.ts'

const FRAME_MS = 100
export const TAPE_MS = 180_000

/** Adds a game's new points to those on screen. When the game is over, fetches everything else again. */
export function cachePlay(next: TapePlay): void {
  cache.tape.today.setData(undefined, (tape) => tape && { ...tape, play: mergePlay(tape.play, next) })
  if (next.isOver) void cache.tape.invalidate()
}

/** Merges two responses: the later state, and the points of both, because a feed sends only new points. */
export function mergePlay(known: TapePlay | null, next: TapePlay): TapePlay {
  if (known?.id !== next.id) return next
  const { isOver, boughtMs, soldMs } = known
  const last = known.points.at(-1)?.ms ?? -1
  return {
    ...next,
    elapsedMs: Math.max(known.elapsedMs, next.elapsedMs),
    isOver: isOver || next.isOver,
    boughtMs: boughtMs ?? next.boughtMs,
    soldMs: soldMs ?? next.soldMs,
    points: [...known.points, ...next.points.filter(({ ms }) => ms > last)],
  }
}

export function useFollowPlay({ id, points }: TapePlay): void {
  useFeed<TapePlay>(id, {
    subscribe: ({ tape }, handlers, lastEventId) => tape.follow.subscribe({ id, lastEventId }, handlers),
    onData: cachePlay,
    from: String(points.length),
  })
}

/** Returns the time since the game began, in ms. The returned time updates ten times per second. */
export function useElapsed({ elapsedMs }: TapePlay, answeredAt: number): number {
  const [nowMs, setNowMs] = useState(deviceNow)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(deviceNow()), FRAME_MS)
    return () => clearInterval(timer)
  }, [])
  return Math.min(TAPE_MS, elapsedMs + Math.max(0, nowMs - answeredAt))
}
