import type { UserId } from '../../lib/api.ts'
import { idInAddress } from '../../lib/id-in-address.ts'

/** The id in an address, or null where no player can have it. */
export function userIdOf(text: string): UserId | null {
  return idInAddress(text) as UserId | null
}
