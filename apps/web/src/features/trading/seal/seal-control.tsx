import { useState } from 'react'
import type { Token } from '../../../lib/api/api.ts'
import { serverNow } from '../../../lib/api/server-now.ts'
import { lazyPart } from '../../../lib/boot/lazy-import.ts'
import { formatSealEnd, longerTerms, useUntil } from '../../../lib/market/own-seal.ts'
import classes from '../rug/rug-control.module.css'

const SealDialog = lazyPart(() => import('./seal-dialog.tsx'), 'SealDialog')

/** The button with which a creator promises not to pull the rug. */
export function SealControl({ token }: { token: Token }) {
  const [isOpen, setOpen] = useState(false)
  const { seal, creatorHolding } = token
  const until = useUntil(seal?.liquidityUntil ?? null)
  const bagUntil = useUntil(seal?.bagUntil ?? null)
  const canSeal = until === null || longerTerms(seal, creatorHolding, serverNow()).length > 0
  return (
    <div className={`p-s-m round-m gap-m ${classes.control} apart`}>
      <p className="grow-wrap small tight breaks">
        {until === null && 'Seal the token to show buyers that you cannot pull the rug.'}
        {until !== null && bagUntil === null && 'Your own tokens are not sealed, so you can sell them.'}
        {until !== null && bagUntil !== null && `Your own tokens are sealed ${formatSealEnd(bagUntil)}.`}
      </p>
      {canSeal && (
        <button
          type="button"
          className={`px-m accent bold nowrap control round-s ${classes.button}`}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          {until === null ? 'Seal the token…' : 'Extend the seal…'}
        </button>
      )}
      {isOpen && <SealDialog token={token} onClose={() => setOpen(false)} />}
    </div>
  )
}
