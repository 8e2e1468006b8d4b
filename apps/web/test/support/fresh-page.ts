import { afterAll, beforeAll, vi } from 'vitest'

// jsdom has none, and modules read it on import.
const noMatch = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList

/** Test files share a worker, and those with a page its page: each begins with an empty one. */
if (typeof document !== 'undefined') window.matchMedia = noMatch

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

/** Makes a storage refuse everything, as browsers do for a site whose cookies are blocked. */
export function blockStorage(name: 'localStorage' | 'sessionStorage'): void {
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal(name, { getItem: refuse, setItem: refuse, removeItem: refuse })
}
