// @vitest-environment jsdom
import type { ConnectionState } from '@papermoon/client'
import { afterEach, expect, it, vi } from 'vitest'
import { followConnection } from '../../src/lib/live/live-client.ts'

afterEach(() => vi.unstubAllGlobals())

/** Follows a connection whose socket never notices a loss. Returns the reported states. */
function follow(): ConnectionState['state'][] {
  const told: ConnectionState['state'][] = []
  const connection = { current: () => ({ state: 'live', since: 0 }) as const, onChange: () => () => {} }
  followConnection(connection, ({ state }) => told.push(state))
  return told
}

it('reports a lost network before the socket notices it, and its return', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  const told = follow()
  dispatchEvent(new Event('offline'))
  await expect.poll(() => told).toEqual(['live', 'offline'])
  dispatchEvent(new Event('online'))
  expect(told).toEqual(['live', 'offline', 'live'])
})

it('stays live without a network if the server is on the same machine', async () => {
  const asked = vi.fn(async () => new Response('ok'))
  vi.stubGlobal('fetch', asked)
  const told = follow()
  dispatchEvent(new Event('offline'))
  await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve))
  expect(told).toEqual(['live'])
})
