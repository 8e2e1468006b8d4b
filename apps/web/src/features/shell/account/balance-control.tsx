import { lazy, Suspense, useState } from 'react'
import type { CurrentUser } from '../../../lib/api/api.ts'
import { loadLate } from '../../../lib/boot/lazy-import.ts'
import { BalanceButton } from './balance-button.tsx'

/** The menu's code comes when somebody reaches for it. */
const loadMenu = () => import('./balance-menu.tsx')
const BalanceMenu = lazy(() => loadLate(loadMenu).then((module) => ({ default: module.BalanceMenu })))

/** The player's balance; pressed, it opens the account's menu. */
export function BalanceControl({ user }: { user: CurrentUser }) {
  const [asked, setAsked] = useState(false)
  const button = (
    <BalanceButton
      user={user}
      onClick={() => setAsked(true)}
      onPointerEnter={() => void loadLate(loadMenu)}
      onFocus={() => void loadLate(loadMenu)}
    />
  )
  if (!asked) return button
  return (
    <Suspense fallback={button}>
      <BalanceMenu user={user} />
    </Suspense>
  )
}
