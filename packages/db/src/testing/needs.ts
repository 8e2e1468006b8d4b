import type { TestContext, TestOptions } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** What this machine lacks for the test; `npm test` names it at its end. */
    needs?: string
  }
}

/** Options of a test or suite that is skipped, and named at the end of `npm test`, where the machine lacks `what`. */
export function needs(what: string, isThere: boolean): Pick<TestOptions, 'skip' | 'meta'> {
  return isThere ? {} : { skip: true, meta: { needs: what } }
}

/** Skips a running test that found out that the machine lacks `what`. */
export function skipForLackOf({ task, skip }: TestContext, what: string): never {
  task.meta.needs = what
  return skip(what)
}
