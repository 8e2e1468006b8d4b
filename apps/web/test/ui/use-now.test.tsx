// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Ago } from '../../src/components/figures/moment.tsx'
import { noteServerTime, serverNow } from '../../src/lib/api/server-now.ts'
import { useNow } from '../../src/lib/hooks/use-now.ts'

const SECOND_MS = 1_000

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.useFakeTimers()
})

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
  const root = createRoot(document.createElement('div'))
  const drawnMs = Date.now() + 60 * SECOND_MS
  vi.setSystemTime(drawnMs)
  await act(() =>
    root.render(
      <>
        <Part takesMs={SECOND_MS} />
        <Part takesMs={0} />
      </>,
    ),
  )
  expect(seen).toHaveLength(2)
  expect(new Set(seen).size).toBe(1)
  expect(drawnMs - (seen[0] ?? 0)).toBeLessThan(SECOND_MS)
  await act(() => root.unmount())
})

it('moves the time of a trade each second', async () => {
  const host = document.createElement('div')
  const root = createRoot(host)
  await act(() => root.render(<Ago time={new Date(serverNow() - 5 * SECOND_MS).toISOString()} />))
  const told = Number.parseInt(host.textContent ?? '', 10)
  await act(() => vi.advanceTimersByTime(2 * SECOND_MS))
  expect(host.textContent).toBe(`${told + 2} seconds ago`)
  await act(() => root.unmount())
})

const HOUR_MS = 3_600 * SECOND_MS

it.each([-3 * HOUR_MS, 3 * HOUR_MS, 0])('is the server’s time where the device’s clock is %i ms off', async (offMs) => {
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
  const root = createRoot(document.createElement('div'))
  await act(() => root.render(<Part />))
  expect(Math.abs(shown - serverMs)).toBeLessThan(HOUR_MS)
  await act(() => root.unmount())
  // The player sets it right.
  vi.setSystemTime(serverMs)
  tell(0)
  expect(serverNow()).toBe(serverMs)
})
