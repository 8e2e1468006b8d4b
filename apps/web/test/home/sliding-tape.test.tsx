// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import { useSlidingTape } from '../../src/features/home/hero/use-sliding-tape.ts'
import type { TapeEntry } from '../../src/lib/api/api.ts'

it('goes on after a step that React renders together with a newer trade', async () => {
  vi.useFakeTimers()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  function Ids({ ids }: { ids: readonly number[] }) {
    return useSlidingTape(
      ids.map((id) => ({ id }) as TapeEntry),
      false,
    ).entries.map(({ id }) => id)
  }
  const root = createRoot(document.body)
  await act(() => root.render(<Ids ids={[1]} />))
  await act(() => {
    vi.advanceTimersToNextTimer()
    root.render(<Ids ids={[2, 1]} />)
  })
  await act(() => vi.advanceTimersByTime(1_000))
  expect(document.body.textContent).toBe('21')
  await act(() => root.unmount())
})
