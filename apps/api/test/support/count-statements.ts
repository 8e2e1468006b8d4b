import pg from 'pg'
import { vi } from 'vitest'

/** How many statements like `pattern` this process sends to any database while `work` runs. */
export async function countStatements(pattern: RegExp, work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return query.mock.calls.filter(([text]: readonly unknown[]) => pattern.test(String(text))).length
  } finally {
    query.mockRestore()
  }
}
