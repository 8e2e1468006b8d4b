import type { TokenId, UserId } from '../api/api.ts'

/** Max value of PostgreSQL's `integer`, the type of every id. */
const ID_MAX = 2_147_483_647

/** Parses an id from the address; null where no row can have it. */
export function idInAddress(text: string): number | null {
  if (!/^[1-9]\d{0,9}$/.test(text)) return null
  const id = Number(text)
  return id <= ID_MAX ? id : null
}

/** Parses an id from the address; null where no token can have it. */
export const parseTokenId = idInAddress as (text: string) => TokenId | null

/** Parses an id from the address; null where no player can have it. */
export const parseUserId = idInAddress as (text: string) => UserId | null

/**
 * Parses `?at=1234`, a token's sequence number; undefined for anything else. The key is always present: the router merges
 * the result over the raw parameters, so a missing key would keep its raw value.
 */
export function parseMoment({ at }: Record<string, unknown>): { at?: number | undefined } {
  const seq = /^(0|[1-9]\d{0,15})$/.test(String(at)) ? Number(at) : undefined
  return { at: Number.isSafeInteger(seq) ? seq : undefined }
}
