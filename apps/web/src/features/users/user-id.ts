import type { UserId } from '../../lib/api/api.ts'
import { idInAddress } from '../../lib/format/id-in-address.ts'

/** The id in an address, or null where no player can have it. */
export function parseUserId(text: string): UserId | null {
  return idInAddress(text) as UserId | null
}
