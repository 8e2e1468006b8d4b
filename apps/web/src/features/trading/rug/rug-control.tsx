import { lazy, Suspense, useEffect, useState } from 'react'
import type { Token } from '../../../lib/api/api.ts'
import { lazyImport } from '../../../lib/boot/lazy-import.ts'
import { whenIdle } from '../../../lib/boot/when-idle.ts'
import classes from './rug-control.module.css'
import { useRug } from './use-rug.ts'

const loadRugDialog = () => import('./rug-dialog.tsx')
const RugDialog = lazy(() => lazyImport(loadRugDialog).then((module) => ({ default: module.RugDialog })))

interface RugControlProps {
  /** The player's own token, not yet rugged. */
  readonly token: Token
  /** Called after the rug pull; this control unmounts and loses the focus. */
  readonly onDone: () => void
}

/** The creator's rug pull: a quiet button that opens a confirmation. */
export function RugControl({ token, onDone }: RugControlProps) {
  const [isOpen, setOpen] = useState(false)
  const { isBusy, pull } = useRug(token)
  // Preloaded, so that the dialog also opens while the server is away.
  useEffect(() => whenIdle(() => lazyImport(loadRugDialog)), [])
  const pullAndGo = async () => {
    if (await pull()) onDone()
  }
  return (
    <div className={classes.control}>
      <p className={classes.text}>You launched {token.symbol}: its liquidity is yours to take.</p>
      <button type="button" className={classes.button} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Pull the rug…
      </button>
      {isOpen && (
        <Suspense>
          <RugDialog token={token} isBusy={isBusy} onPull={() => void pullAndGo()} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
