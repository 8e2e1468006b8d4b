import type { TokenId } from '../../../lib/api/api.ts'
import text from '../proof-text.module.css'

/** Shown instead of the check where the browser offers no hashing (insecure origins). */
export function NoHashing({ id }: { id: TokenId }) {
  return (
    <>
      <p className={text.text}>
        <strong>Your browser does not hash for this page:</strong> it came over plain HTTP from another machine, and
        browsers keep their cryptography for HTTPS and localhost. Open this page over HTTPS, or verify from the command
        line, in a copy of the sources; Node is all it takes:
      </p>
      <code className={text.code}>
        node packages/client/examples/verify-chain.ts {location.origin} {id}
      </code>
    </>
  )
}
