import type { TokenId } from '../../lib/api.ts'

/** Largest `integer` of PostgreSQL, the type of every id. */
const ID_MAX = 2_147_483_647

/** The id in an address, or null where no token can have it. */
export function tokenIdOf(text: string): TokenId | null {
  if (!/^[1-9]\d{0,9}$/.test(text)) return null
  const id = Number(text)
  return id <= ID_MAX ? (id as TokenId) : null
}
