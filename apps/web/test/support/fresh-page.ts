import { afterAll, beforeAll, vi } from 'vitest'

/** Test files share a worker, and those with a page its page: each begins with an empty one. */
beforeAll(() => {
  if (typeof document === 'undefined') return
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
})

afterAll(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
