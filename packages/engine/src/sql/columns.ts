/** Functions that format a column of rows as one parameter of a statement. */
export interface Columns {
  /** Formats values that need no quotes: numbers, times and hexadecimal digits. */
  texts<T>(rows: readonly T[], column: (row: T) => string | number): string | null
  /** Formats hexadecimal digits as a `bytea` column. */
  hashes<T>(rows: readonly T[], column: (row: T) => string): string | null
  /** Formats arbitrary text. */
  quoted<T>(rows: readonly T[], column: (row: T) => string): string | null
}

/** Formats rows as PostgreSQL array literals. Quotes and backslashes within quotes must be escaped there. */
export const manyRows = {
  texts: <T>(rows: readonly T[], column: (row: T) => string | number): string => `{${rows.map(column).join(',')}}`,
  hashes: <T>(rows: readonly T[], column: (row: T) => string): string =>
    manyRows.texts(rows, (row) => `\\\\x${column(row)}`),
  quoted: <T>(rows: readonly T[], column: (row: T) => string): string =>
    manyRows.texts(rows, (row) => `"${column(row).replace(/["\\]/g, '\\$&')}"`),
} satisfies Columns

/** Formats the value of the only row. Null if there is no row. */
export const oneRow = {
  texts: ([row], column) => (row === undefined ? null : `${column(row)}`),
  hashes: ([row], column) => (row === undefined ? null : `\\x${column(row)}`),
  quoted: ([row], column) => (row === undefined ? null : column(row)),
} satisfies Columns
