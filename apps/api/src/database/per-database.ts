import type { Db } from '@papermoon/db'

interface HasDatabase {
  readonly db: Db
}

/** What a feature keeps in memory for each database: made when it is first asked for, with the parts of that caller. */
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
