import { afterAll, beforeAll, vi } from 'vitest'

// jsdom has no `matchMedia`, and modules read it on import.
const noMatch = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList

/** Test files share a worker and its page, so each file starts with an empty page. */
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

/** Makes a storage throw on every access, like browsers do if cookies are blocked for a site. */
export function blockStorage(name: 'localStorage' | 'sessionStorage'): void {
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal(name, { getItem: refuse, setItem: refuse, removeItem: refuse })
}
