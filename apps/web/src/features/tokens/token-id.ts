import type { TokenId } from '../../lib/api/api.ts'
import { idInAddress } from '../../lib/format/id-in-address.ts'

/** Parses an id from the address; null where no token can have it. */
export function parseTokenId(text: string): TokenId | null {
  return idInAddress(text) as TokenId | null
}
