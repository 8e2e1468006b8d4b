import { afterAll, vi } from 'vitest'

/** Test files share a worker's modules, so each file must remove its mocks and fake clocks at its end. */
afterAll(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})
