import { expect, vi } from 'vitest'
import type { App } from '../../src/context.ts'
import { readPosition } from '../../src/events/journal.ts'
import { WAIT_MAX_MS } from './wait.ts'

/** Waits until a node has sent all events so far to all listeners, so that a new cursor includes them. */
export async function sentAll({ platform, live: { feed, stream } }: App): Promise<void> {
  await feed.catchUp(await readPosition(platform.db))
  await vi.waitFor(() => expect(stream.cursor).toBe(stream.cursors.format(feed.position)), WAIT_MAX_MS)
}
