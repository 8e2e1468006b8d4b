import type { MarketEvent } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App } from '../../src/context.ts'

/** Publishes an event that no table contains, at its own position. */
export async function publishMade({ platform, live }: App, event: MarketEvent): Promise<void> {
  const { rows } = await sql<{ place: number }>`select next_position() as place`.execute(platform.db)
  const place = rows[0]?.place ?? 0
  live.feed.publish({ after: place - 1, through: place, events: [{ place, event }] })
}
