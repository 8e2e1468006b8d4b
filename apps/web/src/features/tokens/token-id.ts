import type { TokenId } from '../../lib/api/api.ts'
import { idInAddress } from '../../lib/format/id-in-address.ts'

/** Parses an id from the address; null where no token can have it. */
export const parseTokenId = idInAddress as (text: string) => TokenId | null

/**
 * Parses `?at=1234`, a token's sequence number; undefined for anything else. The key is always present: the router merges
 * the result over the raw parameters, so a missing key would keep its raw value.
 */
export function parseMoment({ at }: Record<string, unknown>): { at?: number | undefined } {
  const text = String(at)
  if (!/^(0|[1-9]\d{0,15})$/.test(text)) return { at: undefined }
  const seq = Number(text)
  return { at: Number.isSafeInteger(seq) ? seq : undefined }
}
