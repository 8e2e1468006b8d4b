import { lazy, Suspense, useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import type { Token } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { lazyImport } from '../../lib/boot/lazy-import.ts'
import { useAskForLogin } from '../../lib/hooks/use-ask-for-login.ts'

const loadDialog = () => import('./alert-dialog.tsx')
const AlertDialog = lazy(() => lazyImport(loadDialog).then((module) => ({ default: module.AlertDialog })))

/** The button in a token's header that opens its price alerts. */
export function AlertButton({ token }: { token: Token }) {
  const user = useCurrentUser()
  const askForLogin = useAskForLogin('set price alerts')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        look="quiet"
        aria-haspopup="dialog"
        onClick={() => (user === null ? askForLogin(null, 'register') : setOpen(true))}
        onPointerEnter={() => void lazyImport(loadDialog)}
        onFocus={() => void lazyImport(loadDialog)}
      >
        <span aria-hidden="true">🔔</span> Alert
      </Button>
      {isOpen && (
        <Suspense>
          <AlertDialog token={token} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
