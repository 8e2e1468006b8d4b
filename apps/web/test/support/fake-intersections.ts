import { vi } from 'vitest'

/** Replaces IntersectionObserver. The returned function reports its arguments to each observer in one call. */
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
