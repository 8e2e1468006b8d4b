import { pino } from 'pino'
import { LiveFeed } from '../../src/events/live-feed.ts'

/** A feed that nobody publishes to. */
export function createIdleFeed(): LiveFeed {
  const read = async (_after: number, through: number) => ({ events: [], through })
  return new LiveFeed({ log: pino({ level: 'silent' }), position: 0, read })
}
