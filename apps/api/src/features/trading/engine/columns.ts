/** A column as PostgreSQL writes an array; nothing in it needs quotes: figures, times, hexadecimal digits. */
export const texts = <T>(rows: readonly T[], column: (row: T) => string | number): string =>
  `{${rows.map(column).join(',')}}`

/** A column of `bytea`, from hexadecimal digits; a backslash of an array's element is written as two. */
export const hashes = <T>(rows: readonly T[], column: (row: T) => string): string =>
  texts(rows, (row) => `\\\\x${column(row)}`)

/** A column of texts that somebody chose: within quotes, where only quotes and backslashes mean anything. */
export const quoted = <T>(rows: readonly T[], column: (row: T) => string): string =>
  texts(rows, (row) => `"${column(row).replace(/["\\]/g, '\\$&')}"`)
