import { lazy, Suspense, useState } from 'react'
import type { CurrentUser } from '../../lib/api.ts'
import { BalanceButton } from './balance-button.tsx'

/** The menu's code comes when somebody reaches for it. */
const loadMenu = () => import('./balance-menu.tsx')
const BalanceMenu = lazy(() => loadMenu().then((module) => ({ default: module.BalanceMenu })))

/** The player's balance; pressed, it opens the account's menu. */
export function BalanceControl({ user }: { user: CurrentUser }) {
  const [asked, setAsked] = useState(false)
  const button = (
    <BalanceButton
      user={user}
      onClick={() => setAsked(true)}
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
    />
  )
  if (!asked) return button
  return (
    <Suspense fallback={button}>
      <BalanceMenu user={user} />
    </Suspense>
  )
}
