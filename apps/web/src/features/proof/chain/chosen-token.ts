import type { TokenId } from '../../../lib/api/api.ts'
import { idInAddress } from '../../../lib/format/id-in-address.ts'

/**
 * The token in the page's address, `?token=12`; none where nothing can have such an id. It is named even then: the router
 * lays the answer over what the address says, and what is left out stays as it was written.
 */
export function parseChosenToken({ token }: Record<string, unknown>): { token?: TokenId | undefined } {
  const id = idInAddress(String(token))
  return { token: id === null ? undefined : (id as TokenId) }
}
