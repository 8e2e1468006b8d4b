import { useState } from 'react'
import { BellIcon } from '../../components/layout/icons.tsx'
import { type Token, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { lazyImport, lazyPart } from '../../lib/boot/lazy-import.ts'
import { useAskForLogin } from '../../lib/hooks/use-ask-for-login.ts'
import { useFollow } from '../../lib/hooks/use-follow.ts'
import classes from './alert-button.module.css'

const loadDialog = () => import('./alert-dialog.tsx')
const AlertDialog = lazyPart(loadDialog, 'AlertDialog')

/**
 * A button with a bell that opens a token's price alerts and news. The bell is filled while an alert or the news is
 * switched on.
 */
export function AlertButton({ token }: { token: Token }) {
  const user = useCurrentUser()
  const askForLogin = useAskForLogin('set price alerts')
  const [isOpen, setOpen] = useState(false)
  const isFollowed = useFollow({ kind: 'token', id: token.id }).isOn
  const alerts = trpc.alerts.list.useQuery(undefined, { enabled: user !== null }).data
  const hasAlert = alerts?.some((alert) => alert.token.id === token.id && alert.doneAt === null) === true
  const isOn = isFollowed || hasAlert
  return (
    <>
      <button
        type="button"
        className={`icon-button hover-accent ${classes.button}`}
        data-on={isOn}
        aria-haspopup="dialog"
        aria-label={`Alerts for ${token.symbol}${isOn ? ' (on)' : ''}`}
        title="Price alerts and news"
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
