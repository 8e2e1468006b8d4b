import { pino } from 'pino'
import { LiveFeed } from '../../src/events/live-feed.ts'

/** A live feed without any events. */
export function createIdleFeed(): LiveFeed {
  const read = async (_after: number, through: number) => ({ events: [], through })
  return new LiveFeed({ log: pino({ level: 'silent' }), position: 0, read })
}
