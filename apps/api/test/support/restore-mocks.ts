import { afterAll, vi } from 'vitest'

/** Test files share a worker's modules, so none may leave a mock or a stopped clock to the next. */
afterAll(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})
