import type { PapermoonClient } from '@papermoon/client'
import type { MarketEvent } from './types.ts'

/** Without an event for this long the gap is given up, to be looked at again. */
const SILENCE_MAX_MS = 10_000

interface Resumption {
  readonly tokenId: number
  /** The last sequence number seen. */
  readonly after: number
  readonly signal: AbortSignal
  readonly onEvent: (event: MarketEvent) => void
  /** Asked after each event. */
  readonly isDone: () => boolean
}

/** Receives a token's events after a sequence number until `isDone`. Rejects if the server refuses, or nothing comes. */
export async function resumeToken({ api }: PapermoonClient, resumption: Resumption): Promise<void> {
  const { tokenId, after, signal, onEvent, isDone } = resumption
  let stop = () => {}
  try {
    await new Promise<void>((resolve, reject) => {
      const giveUp = setTimeout(() => reject(new Error('the missing events did not come')), SILENCE_MAX_MS)
      const subscription = api.live.token.subscribe(
        { tokenId, lastEventId: String(after) },
        {
          onData: ({ data }) => {
            giveUp.refresh()
            onEvent(data)
            if (isDone()) resolve()
          },
          onError: reject,
        },
      )
      const end = () => resolve()
      signal.addEventListener('abort', end)
      stop = () => {
        clearTimeout(giveUp)
        signal.removeEventListener('abort', end)
        subscription.unsubscribe()
      }
    })
  } finally {
    stop()
  }
}
