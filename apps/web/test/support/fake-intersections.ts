import { vi } from 'vitest'

/** Replaces IntersectionObserver by one that reports what the returned function is given, in one call per observer. */
export function fakeIntersections(): (...changes: readonly boolean[]) => void {
  const reports = new Set<(entries: { isIntersecting: boolean }[]) => void>()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #report: (entries: { isIntersecting: boolean }[]) => void
      constructor(report: (entries: { isIntersecting: boolean }[]) => void) {
        this.#report = report
      }
      observe(): void {
        reports.add(this.#report)
      }
      disconnect(): void {
        reports.delete(this.#report)
      }
    },
  )
  return (...changes) => {
    for (const report of [...reports]) report(changes.map((isIntersecting) => ({ isIntersecting })))
  }
}
