import { client, type TokenId } from '../../../lib/api/api.ts'
import { getReason } from '../../../lib/api/failure.ts'
import { sha256 } from '../chain/sha256.ts'
import { retryAfter } from '../retry-after.ts'
import type { Today } from './compare-copy.ts'

/** Looks up the server's current data until `signal` aborts. */
export function createToday(signal: AbortSignal): Today {
  return {
    sha256,
    hashAt: async (tokenId, seq) => {
      const input = { id: tokenId as TokenId, after: seq, limit: 1 }
      try {
        return (await retryAfter(() => client.proof.chain.query(input, { signal }), signal)).after.hash
      } catch (error) {
        const reason = getReason(error)
        if (reason === 'TOKEN_NOT_FOUND') return 'hidden'
        if (reason === 'NOT_FOUND') return 'gone'
        throw error
      }
    },
    fetchDigest: async (hour) => {
      try {
        return (await retryAfter(() => client.proof.headsAt.query({ hour, limit: 1 }, { signal }), signal)).digest
      } catch (error) {
        if (getReason(error) === 'NOT_FOUND') return null
        throw error
      }
    },
  }
}
