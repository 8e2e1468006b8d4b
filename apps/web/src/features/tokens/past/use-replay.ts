import { type Dispatch, useEffect, useRef, useState } from 'react'
import { cache, type Timeframe, type TokenId } from '../../../lib/api/api.ts'
import { mayMove } from '../../../lib/ui/motion.ts'
import { showFailure } from '../../../lib/ui/toasts.ts'
import type { Player, PlayerAction } from './player.ts'
import { type Frame, Replay, type ReplaySource } from './replay.ts'

/** Number of events per page. The server sends at most this number. */
const PAGE = 500
/** Min time between two frames on the screen, in ms. */
const FRAME_MS = 50
/** Repeat a failed request once, and remove pages from the cache soon after they were played. */
const FETCH = { retry: 1, retryDelay: 2_000, gcTime: 20_000 } as const

interface ReplayInput {
  readonly id: TokenId
  readonly timeframe: Timeframe
  readonly player: Player
  readonly dispatch: Dispatch<PlayerAction>
}

/** Plays a token's events while the replay runs, and returns the latest frame, or null before the first frame. */
export function useReplay({ id, timeframe, player, dispatch }: ReplayInput): Frame | null {
  const [frame, setFrame] = useState<Frame | null>(null)
  const latest = useRef(player)
  useEffect(() => {
    latest.current = player
  })
  const { isPlaying } = player
  useEffect(() => {
    if (!isPlaying) return
    const replay = new Replay(createSource(id, timeframe), { isSlowAtRug: mayMove('shake') })
    const fail = (error: unknown) => {
      dispatch({ type: 'pause' })
      showFailure('Playback stopped', error)
    }
    let shown: Frame | null = null
    const show = () => {
      shown = replay.frame
      if (shown === null) return
      setFrame(shown)
      dispatch({ type: 'known', lastSeq: replay.lastSeq })
      dispatch({ type: 'played', seq: shown.seq })
    }
    let shownMs = 0
    let request = 0
    const run = (nowMs: number) => {
      replay.tick(nowMs, latest.current.speed)
      const isLast = replay.isOver || replay.failure !== null
      if (replay.frame !== shown && (isLast || nowMs - shownMs >= FRAME_MS)) {
        shownMs = nowMs
        show()
      }
      if (replay.failure !== null) return fail(replay.failure)
      if (replay.isOver) return dispatch({ type: 'pause' })
      request = requestAnimationFrame(run)
    }
    let isStopped = false
    replay.open(latest.current.seq).then(
      () => {
        if (isStopped) return
        show()
        request = requestAnimationFrame(run)
      },
      (error: unknown) => isStopped || fail(error),
    )
    return () => {
      isStopped = true
      cancelAnimationFrame(request)
    }
  }, [isPlaying, id, timeframe, dispatch])
  return frame
}

function createSource(tokenId: TokenId, timeframe: Timeframe): ReplaySource {
  return {
    moment: (seq) => cache.past.moment.fetch({ tokenId, seq }, FETCH),
    chart: (seq) => cache.past.chart.fetch({ tokenId, seq, timeframe }, FETCH),
    steps: (after) => cache.past.steps.fetch({ tokenId, after, limit: PAGE }, FETCH),
  }
}
