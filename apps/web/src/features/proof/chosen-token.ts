import type { TokenId } from '../../lib/api.ts'
import { idInAddress } from '../../lib/id-in-address.ts'

/** The token in the page's address, `?token=12`; none where nothing can have such an id. */
export function chosenTokenOf({ token }: Record<string, unknown>): { token?: TokenId } {
  const id = idInAddress(String(token))
  return id === null ? {} : { token: id as TokenId }
}
