import type { TokenId, UserId } from '../api/api.ts'

/** Max value for PostgreSQL's `integer`, the type of every id. */
const ID_MAX = 2_147_483_647

/** Parses an id from the URL. Returns null for an id that cannot exist. */
export function idInAddress(text: string): number | null {
  if (!/^[1-9]\d{0,9}$/.test(text)) return null
  const id = Number(text)
  return id <= ID_MAX ? id : null
}

/** Parses a token id from the URL. Returns null for an id that cannot exist. */
export const parseTokenId = idInAddress as (text: string) => TokenId | null

/** Parses a player id from the URL. Returns null for an id that cannot exist. */
export const parseUserId = idInAddress as (text: string) => UserId | null

/**
 * Parses `?at=1234`, a token's sequence number. Returns undefined for anything but a valid number. The key is always
 * present, because the router merges the result over the raw parameters, and a missing key would keep the raw value.
 */
export function parseMoment({ at }: Record<string, unknown>): { at?: number | undefined } {
  const seq = /^(0|[1-9]\d{0,15})$/.test(String(at)) ? Number(at) : undefined
  return { at: Number.isSafeInteger(seq) ? seq : undefined }
}
