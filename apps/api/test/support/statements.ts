import type { Db } from '@papermoon/db'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { vi } from 'vitest'

interface PlanNode {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Returns the most rows that any step of a statement's plan reads. */
export async function countMostRows(db: Db, { sql, parameters }: Statement): Promise<number> {
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    CompiledQuery.raw(`explain (analyze, timing off, format json) ${sql}`, [...parameters]),
  )
  const [row] = rows
  if (row === undefined) throw new Error('no plan')
  return countMost(row['QUERY PLAN'][0].Plan)
}

function countMost(node: PlanNode): number {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
  return Math.max(own, ...(node.Plans ?? []).map(countMost))
}

/** Returns the statements matching `pattern` that this process sends to any database while `work` runs. */
export async function listStatements(pattern: RegExp, work: () => Promise<unknown>): Promise<Statement[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    const calls: readonly (readonly unknown[])[] = query.mock.calls
    const statements = calls.map(([first, second]) => {
      // A prepared statement is an object.
      const { text, values } = typeof first === 'string' ? { text: first, values: second } : (first as pg.QueryConfig)
      return { sql: text, parameters: (values ?? []) as unknown[] }
    })
    return statements.filter(({ sql }) => pattern.test(sql))
  } finally {
    query.mockRestore()
  }
}

/** Returns the number of statements matching `pattern` that this process sends to any database while `work` runs. */
export async function countStatements(pattern: RegExp, work: () => Promise<unknown>): Promise<number> {
  return (await listStatements(pattern, work)).length
}

/**
 * Returns the number of 8 KB pages that this process's reads touch in any database while `work` runs. It explains each
 * read afterwards.
 */
export async function countPages(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  const clients = query.mock.contexts as readonly pg.Client[]
  const calls: readonly (readonly unknown[])[] = query.mock.calls
  query.mockRestore()
  let pages = 0
  for (const [index, [first, second]] of calls.entries()) {
    const { text, values } = typeof first === 'string' ? { text: first, values: second } : (first as pg.QueryConfig)
    if (
      !/^\s*\(?(select|with)\b/i.test(text) ||
      /\b(insert into|update|delete from)\s|for (no key )?update/i.test(text)
    )
      continue
    const explained = await clients[index]?.query(
      `explain (analyze, buffers, timing off, format json) ${text}`,
      values as unknown[],
    )
    const { Plan: plan } = explained?.rows[0]['QUERY PLAN'][0] ?? {}
    pages += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
  }
  return pages
}
