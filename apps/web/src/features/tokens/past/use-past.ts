import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { type Dispatch, useEffect, useEffectEvent, useLayoutEffect, useMemo, useReducer, useRef } from 'react'
import {
  type Chart,
  type Holder,
  type Timeframe,
  type Token,
  type TokenId,
  type Trade,
  trpc,
} from '../../../lib/api/api.ts'
import { type PlayerAction, reducePlayer, startPlayer } from './player.ts'
import { type Frame, rankHolders } from './replay.ts'
import { useReplay } from './use-replay.ts'

export interface View {
  readonly seq: number
  readonly time: string
  readonly token: Token
  readonly trades: readonly Trade[]
  readonly holders: readonly Holder[]
  readonly chart: Chart | undefined
  /** Whether the 24-hour values are known, which they are not during a replay. */
  readonly isWhole: boolean
}

interface PastInput {
  readonly id: TokenId
  readonly at: number
  readonly timeframe: Timeframe
  readonly onMoment: (seq: number) => void
}

/**
 * How long the selection must stay the same after many steps before a request is sent, in ms. A single step sends a
 * request at once.
 */
const QUIET_MS = 150
const SHOW_PREVIOUS = { placeholderData: keepPreviousData } as const

/**
 * Returns a token's past. While nothing moves, this is the server's state; while the replay runs, it is a replay frame.
 */
export function usePast({ id, at, timeframe, onMoment }: PastInput) {
  const [player, dispatch] = useReducer(reducePlayer, at, startPlayer)
  const { seq, isPlaying } = player
  const [debounced] = useDebouncedValue(seq, QUIET_MS, { leading: true })
  const resting = isPlaying || debounced !== seq ? null : seq
  const enabled = resting !== null
  const moment = trpc.past.moment.useQuery({ tokenId: id, seq: debounced }, { ...SHOW_PREVIOUS, enabled })
  const chart = trpc.past.chart.useQuery({ tokenId: id, seq: debounced, timeframe }, { ...SHOW_PREVIOUS, enabled })
  const frame = useReplay({ id, timeframe, player, dispatch })
  const lastSeq = moment.data?.lastSeq
  // Run this before the paint, because the slider would otherwise show the end of the history for one frame.
  useLayoutEffect(() => {
    if (lastSeq !== undefined) dispatch({ type: 'known', lastSeq })
  }, [lastSeq])
  useAddress({ at, resting, dispatch, onMoment })

  const view = useMemo((): View | undefined => {
    const isFrame = frame !== null && frame.seq === seq && (isPlaying || moment.data?.seq !== seq)
    if (isFrame) return viewFrame(frame)
    if (moment.data === undefined) return undefined
    // Check the event, because the query may still contain another event's chart.
    const isOther = chart.data?.seq !== seq && frame?.seq === seq
    return { ...moment.data, chart: isOther ? frame.chart : chart.data, isWhole: true }
  }, [frame, seq, isPlaying, moment.data, chart.data])
  const failed = [moment, chart].find((query) => query.isError && !query.isFetching)
  return {
    player,
    dispatch,
    /** Whether the page still shows another event than the selected one. */
    isBehind: view?.seq !== seq,
    /** The selected sequence number, or null while the selection changes. */
    resting,
    /** The page's state as a query, with the error of the selected event. */
    query: {
      data: view,
      isError: failed !== undefined,
      error: isPlaying ? null : failed?.error,
      refetch: () => {
        void moment.refetch()
        void chart.refetch()
      },
    },
  }
}

export type Past = ReturnType<typeof usePast>

function viewFrame({ bags, ...frame }: Frame): View {
  return { ...frame, holders: rankHolders(bags), isWhole: false }
}

interface AddressInput extends Pick<PastInput, 'at' | 'onMoment'> {
  /** The selected sequence number, or null while the selection changes. */
  readonly resting: number | null
  readonly dispatch: Dispatch<PlayerAction>
}

/** Keeps the selection and the URL the same when either of them changes. */
function useAddress({ at, resting, dispatch, onMoment }: AddressInput): void {
  /** The sequence number that was last written to or read from the URL, and numbers that were written earlier. */
  const known = useRef(at)
  const written = useRef(new Set<number>())
  const write = useEffectEvent(onMoment)
  useEffect(() => {
    if (resting === null || resting === known.current) return
    known.current = resting
    written.current.add(resting)
    write(resting)
  }, [resting])
  useEffect(() => {
    if (at === known.current) return written.current.clear()
    if (written.current.has(at)) return
    known.current = at
    dispatch({ type: 'seek', seq: at })
  }, [at, dispatch])
}
