import type { Db } from '@papermoon/db'

interface HasDatabase {
  readonly db: Db
}

/**
 * Creates a function that returns a value cached in memory for each database. The value is created at the first call,
 * with that caller's parts.
 */
export function perDatabase<Parts extends HasDatabase, Value>(
  create: (parts: Parts) => Value,
): (parts: Parts) => Value {
  const values = new WeakMap<HasDatabase['db'], Value>()
  return (parts) => {
    const known = values.get(parts.db)
    if (known !== undefined) return known
    const value = create(parts)
    values.set(parts.db, value)
    return value
  }
}
