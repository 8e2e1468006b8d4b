import type { TokenId } from '../../../lib/api/api.ts'
import { idInAddress } from '../../../lib/format/id-in-address.ts'

/**
 * Parses `?token=12`; undefined if no token can have such an id. The key is always present: the router merges the
 * result over the raw parameters, so a missing key would keep its raw value.
 */
export function parseChosenToken({ token }: Record<string, unknown>): { token?: TokenId | undefined } {
  const id = idInAddress(String(token))
  return { token: id === null ? undefined : (id as TokenId) }
}
