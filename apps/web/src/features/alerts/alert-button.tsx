import { useState } from 'react'
import { BellIcon } from '../../components/layout/icons.tsx'
import type { Token } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { lazyImport, lazyPart } from '../../lib/boot/lazy-import.ts'
import { useAskForLogin } from '../../lib/hooks/use-ask-for-login.ts'
import classes from './alert-button.module.css'

const loadDialog = () => import('./alert-dialog.tsx')
const AlertDialog = lazyPart(loadDialog, 'AlertDialog')

/** A button in a token's header that opens the token's price alerts. */
export function AlertButton({ token }: { token: Token }) {
  const user = useCurrentUser()
  const askForLogin = useAskForLogin('set price alerts')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={`boxed round hover-accent ${classes.button}`}
        aria-haspopup="dialog"
        aria-label="Price alert"
        title="Price alert"
        onClick={() => (user === null ? askForLogin() : setOpen(true))}
        onPointerEnter={() => void lazyImport(loadDialog)}
        onFocus={() => void lazyImport(loadDialog)}
      >
        <BellIcon size={20} strokeWidth={1.8} />
      </button>
      {isOpen && <AlertDialog token={token} onClose={() => setOpen(false)} />}
    </>
  )
}
