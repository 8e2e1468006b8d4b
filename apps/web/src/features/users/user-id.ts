import type { UserId } from '../../lib/api/api.ts'
import { idInAddress } from '../../lib/format/id-in-address.ts'

/** Parses an id from the address; null where no player can have it. */
export function parseUserId(text: string): UserId | null {
  return idInAddress(text) as UserId | null
}
