import { formatSol } from '@papermoon/format'
import type { ComponentProps } from 'react'
import { PlayerAvatar } from '../../../components/tokens/player-avatar.tsx'
import type { CurrentUser } from '../../../lib/api/api.ts'
import { useShownFair } from '../../../lib/fairs/shown-fair.ts'
import classes from './balance.module.css'

/**
 * A button that opens the account menu, with the player's picture and balance. In a fair, the button shows the balance
 * in that fair.
 */
export function BalanceButton({ user, className, ...rest }: { user: CurrentUser } & ComponentProps<'button'>) {
  const fair = useShownFair()
  const balance = fair?.balance ?? user.solBalance
  return (
    <button
      type="button"
      className={`inline-row ink px-s gap-s touch round nowrap on-sunken edge-inside ${classes.button} ${className ?? ''}`}
      title={`${balance} SOL`}
      aria-haspopup="menu"
      aria-expanded={false}
      {...rest}
    >
      <span className={classes.picture}>
        <PlayerAvatar username={user.username} pictureUrl={user.profilePictureUrl} />
      </span>
      <span className="visually-hidden">Account: {user.username}, balance </span>
      <span className={`inline-row gap-s ${classes.amount}`}>
        {fair !== null && <small>Fair</small>}
        <span className="strong">{formatSol(balance, 2)}</span>
      </span>
      <span className={`small ${classes.unit}`}>SOL</span>
      <span className={`small ${classes.arrow}`} aria-hidden="true">
        ▾
      </span>
    </button>
  )
}
