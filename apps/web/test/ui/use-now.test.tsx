// @vitest-environment jsdom
import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Ago } from '../../src/components/figures/moment.tsx'
import { noteServerTime, serverNow } from '../../src/lib/api/server-now.ts'
import { useNow } from '../../src/lib/hooks/use-now.ts'
import { render } from '../support/render.tsx'

const SECOND_MS = 1_000

beforeEach(() => void vi.useFakeTimers())

afterEach(() => {
  noteServerTime(new Response(null, { headers: { date: new Date().toUTCString() } }))
  vi.useRealTimers()
})

it('is the same for all parts of a screen that is drawn while a second ends', async () => {
  const seen: number[] = []
  function Part({ takesMs }: { takesMs: number }) {
    seen.push(useNow())
    vi.setSystemTime(Date.now() + takesMs)
    return null
  }
  const drawnMs = Date.now() + 60 * SECOND_MS
  vi.setSystemTime(drawnMs)
  await render([<Part key="slow" takesMs={SECOND_MS} />, <Part key="fast" takesMs={0} />])
  expect(seen).toHaveLength(2)
  expect(new Set(seen).size).toBe(1)
  expect(drawnMs - (seen[0] ?? 0)).toBeLessThan(SECOND_MS)
})

it('moves the time of a trade each second', async () => {
  const { host } = await render(<Ago time={new Date(serverNow() - 5 * SECOND_MS).toISOString()} />)
  const told = Number.parseInt(host.textContent ?? '', 10)
  await act(() => vi.advanceTimersByTime(2 * SECOND_MS))
  expect(host.textContent).toBe(`${told + 2} seconds ago`)
})

const HOUR_MS = 3_600 * SECOND_MS

it.each([-3 * HOUR_MS, 3 * HOUR_MS, 0])('is the server’s time if the device’s clock is off by %i ms', async (offMs) => {
  const serverMs = Date.now()
  vi.setSystemTime(serverMs + offMs)
  const tell = (ageMs: number) =>
    noteServerTime(new Response(null, { headers: { date: new Date(serverMs - ageMs).toUTCString() } }))
  tell(900)
  tell(1_800)
  expect(Math.abs(serverNow() - serverMs)).toBeLessThan(HOUR_MS)
  let shown = 0
  function Part() {
    shown = useNow()
    return null
  }
  const { unmount } = await render(<Part />)
  expect(Math.abs(shown - serverMs)).toBeLessThan(HOUR_MS)
  await unmount()
  // The player sets the device's clock right.
  vi.setSystemTime(serverMs)
  tell(0)
  expect(serverNow()).toBe(serverMs)
})
