// @vitest-environment jsdom
import { act } from 'react'
import { expect, it, vi } from 'vitest'
import { useSlidingTape } from '../../src/features/home/hero/use-sliding-tape.ts'
import type { TapeEntry } from '../../src/lib/api/api.ts'
import { render } from '../support/render.tsx'

it('continues after a step that React renders together with a newer trade', async () => {
  vi.useFakeTimers()
  function Ids({ ids }: { ids: readonly number[] }) {
    return useSlidingTape(
      ids.map((id) => ({ id }) as TapeEntry),
      false,
    ).entries.map(({ id }) => id)
  }
  const { host, show } = await render(<Ids ids={[1]} />)
  await act(async () => {
    vi.advanceTimersToNextTimer()
    await show(<Ids ids={[2, 1]} />)
  })
  await act(() => vi.advanceTimersByTime(1_000))
  expect(host.textContent).toBe('21')
})
