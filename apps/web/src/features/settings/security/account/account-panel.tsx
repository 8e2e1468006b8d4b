import { type ReactNode, useState } from 'react'
import { Button } from '../../../../components/form/button.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import type { CurrentUser } from '../../../../lib/api/api.ts'
import classes from '../../api-keys/api-keys.module.css'
import rows from '../../settings-list.module.css'
import { ChangeEmailDialog } from './change-email-dialog.tsx'
import { ChangePasswordDialog } from './change-password-dialog.tsx'
import { ChangeWalletDialog } from './change-wallet-dialog.tsx'
import { EmailRow } from './email-row.tsx'

type Matter = 'password' | 'email' | 'wallet'

/** E-mail, password and wallet, each with a button to change it; `/settings#password` opens the password dialog. */
export function AccountPanel({ user }: { user: CurrentUser }) {
  const [open, setOpen] = useState<Matter | null>(() => (location.hash === '#password' ? 'password' : null))
  const close = () => setOpen(null)
  return (
    <Panel title="Account" level={3}>
      <ul className={rows.list} aria-label="What your account hangs on">
        <Row title="Password" note="A new one ends all your other sessions.">
          <Button look="quiet" onClick={() => setOpen('password')}>
            Change Password
          </Button>
        </Row>
        <EmailRow email={user.email} onChange={() => setOpen('email')} />
        <Row title={user.wallet} note="Your wallet: giveaway rewards are sent there.">
          <Button look="quiet" onClick={() => setOpen('wallet')}>
            Change Wallet
          </Button>
        </Row>
      </ul>
      {open === 'password' && <ChangePasswordDialog onClose={close} />}
      {open === 'email' && <ChangeEmailDialog onClose={close} />}
      {open === 'wallet' && <ChangeWalletDialog onClose={close} />}
    </Panel>
  )
}

function Row({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <li className={rows.row}>
      <div className={rows.about}>
        <span className={rows.name}>{title}</span>
        <span className={classes.note}>{note}</span>
      </div>
      {children}
    </li>
  )
}
