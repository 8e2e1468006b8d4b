import type { TestContext, TestOptions } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Requirement of the test that this machine lacks; `npm test` lists it at its end. */
    needs?: string
  }
}

/** Options that skip a test or suite if the machine lacks `what`; `npm test` lists it at its end. */
export function needs(what: string, isThere: boolean): Pick<TestOptions, 'skip' | 'meta'> {
  return isThere ? {} : { skip: true, meta: { needs: what } }
}

/** Skips a running test because the machine lacks `what`. */
export function skipLacking({ task, skip }: TestContext, what: string): never {
  task.meta.needs = what
  return skip(what)
}
