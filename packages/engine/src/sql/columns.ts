/** How the rows of a table are written as parameters of a statement, one for each column. */
export interface Columns {
  /** Nothing in it needs quotes: figures, times, hexadecimal digits. */
  texts<T>(rows: readonly T[], column: (row: T) => string | number): string | null
  /** Of `bytea`, from hexadecimal digits. */
  hashes<T>(rows: readonly T[], column: (row: T) => string): string | null
  /** Of texts that somebody chose. */
  quoted<T>(rows: readonly T[], column: (row: T) => string): string | null
}

/** As PostgreSQL writes an array; in it a backslash is written as two, and within quotes only quotes and backslashes mean anything. */
export const manyRows = {
  texts: <T>(rows: readonly T[], column: (row: T) => string | number): string => `{${rows.map(column).join(',')}}`,
  hashes: <T>(rows: readonly T[], column: (row: T) => string): string =>
    manyRows.texts(rows, (row) => `\\\\x${column(row)}`),
  quoted: <T>(rows: readonly T[], column: (row: T) => string): string =>
    manyRows.texts(rows, (row) => `"${column(row).replace(/["\\]/g, '\\$&')}"`),
} satisfies Columns

/** The value of the only row, null where there is none. */
export const oneRow = {
  texts: ([row], column) => (row === undefined ? null : `${column(row)}`),
  hashes: ([row], column) => (row === undefined ? null : `\\x${column(row)}`),
  quoted: ([row], column) => (row === undefined ? null : column(row)),
} satisfies Columns
