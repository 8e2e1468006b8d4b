import type { TokenId } from '../../lib/api/api.ts'
import { idInAddress } from '../../lib/format/id-in-address.ts'

/** The id in an address, or null where no token can have it. */
export function parseTokenId(text: string): TokenId | null {
  return idInAddress(text) as TokenId | null
}
