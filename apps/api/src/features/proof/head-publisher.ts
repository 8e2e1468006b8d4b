import type { App } from '../../context.ts'
import { hourOf, publishHeads } from './publish-heads.ts'

const LOOK_EVERY_MS = 30_000

type Parts = Pick<App, 'db' | 'clock' | 'log'>

/** Publishes until it is stopped. */
export interface HeadPublisher {
  /** Resolves when a publication under way is done or given up; no other is begun. */
  stop(): Promise<void>
}

/**
 * Publishes the heads of all chains once an hour: soon after the full hour, and at once where no server ran then. Several
 * nodes may do this on one database.
 */
export function startHeadPublisher({ db, clock, log }: Parts): HeadPublisher {
  const stopping = new AbortController()
  /** The last hour that this node has seen published, in ms. */
  let publishedMs = 0
  let round: Promise<void> | null = null
  const publish = async () => {
    const now = clock.now()
    const hourMs = hourOf(now).getTime()
    if (hourMs === publishedMs) return
    const published = await publishHeads(db, now, stopping.signal)
    if (published === 'elsewhere' || published === 'nothing') return
    publishedMs = hourMs
    if (published !== 'before') log.info({ tokens: published }, 'the heads of all chains are published')
  }
  const look = () => {
    round ??= publish()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'the heads of all chains are not published for now')
      })
      .finally(() => {
        round = null
      })
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  look()
  return {
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await round
    },
  }
}
