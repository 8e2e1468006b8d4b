import { client, type TokenId } from '../../../lib/api/api.ts'
import { reasonOf } from '../../../lib/api/failure.ts'
import { sha256 } from '../chain/sha256.ts'
import { patient } from '../retry-after.ts'
import type { Today } from './compare-copy.ts'

/** What the server says today, until `signal` says to stop asking. */
export function todayOf(signal: AbortSignal): Today {
  return {
    sha256,
    hashAt: async (tokenId, seq) => {
      const input = { id: tokenId as TokenId, after: seq, limit: 1 }
      try {
        return (await patient(() => client.proof.chain.query(input, { signal }), signal)).after.hash
      } catch (error) {
        const reason = reasonOf(error)
        if (reason === 'TOKEN_NOT_FOUND') return 'hidden'
        if (reason === 'NOT_FOUND') return 'gone'
        throw error
      }
    },
    digestOf: async (hour) => {
      try {
        return (await patient(() => client.proof.headsAt.query({ hour, limit: 1 }, { signal }), signal)).digest
      } catch (error) {
        if (reasonOf(error) === 'NOT_FOUND') return null
        throw error
      }
    },
  }
}
