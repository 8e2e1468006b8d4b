import assert from 'node:assert/strict'
import pg from 'pg'

/** `bigint[]`, which pg's list of types lacks. */
const int8ArrayOid: number = 1016

/** Ids and counts are far below 2^53. A larger value would lose digits, so it throws. */
function parseInt8(text: string): number {
  const value = Number(text)
  assert(Number.isSafeInteger(value), `bigint ${text} does not fit a safe integer`)
  return value
}

/**
 * Converts PostgreSQL's text format: `bigint` to a safe integer, `numeric` to its exact text (money is never a float),
 * `timestamptz` to a Date, `date` to its text (a Date would shift it by the time zone). Set per pool, not globally.
 */
export function createTypeParsers(): pg.TypeOverrides {
  const { builtins } = pg.types
  const parsers = new pg.TypeOverrides()
  const parseTextArray = pg.types.getTypeParser(int8ArrayOid as never, 'text') as (text: string) => (string | null)[]
  parsers.setTypeParser(builtins.INT8, parseInt8)
  parsers.setTypeParser(int8ArrayOid, (text: string) =>
    parseTextArray(text).map((item) => (item === null ? null : parseInt8(item))),
  )
  parsers.setTypeParser(builtins.NUMERIC, (text: string) => text)
  parsers.setTypeParser(builtins.DATE, (text: string) => text)
  return parsers
}
