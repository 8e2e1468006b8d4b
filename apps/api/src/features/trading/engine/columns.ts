/** A column as PostgreSQL writes an array; nothing in it needs quotes: figures, times, hexadecimal digits. */
export const texts = <T>(rows: readonly T[], column: (row: T) => string | number): string =>
  `{${rows.map(column).join(',')}}`

/** A column of `bytea`, from hexadecimal digits; a backslash of an array's element is written as two. */
export const hashes = <T>(rows: readonly T[], column: (row: T) => string): string =>
  texts(rows, (row) => `\\\\x${column(row)}`)

/** A column of texts that somebody chose. */
export const quoted = <T>(rows: readonly T[], column: (row: T) => string): string[] => rows.map(column)

/** A function that computes each value once: figures and times of many rows are often the same objects. */
export function remembered<T, R>(compute: (value: T) => R): (value: T) => R {
  const known = new Map<T, R>()
  return (value) => {
    const before = known.get(value)
    if (before !== undefined) return before
    const result = compute(value)
    known.set(value, result)
    return result
  }
}
