// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useNow } from '../../src/lib/hooks/use-now.ts'

const SECOND_MS = 1_000

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.useFakeTimers()
})

afterEach(() => vi.useRealTimers())

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
