import { lazy, Suspense, useState } from 'react'
import type { CurrentUser } from '../../../lib/api/api.ts'
import { lazyImport } from '../../../lib/boot/lazy-import.ts'
import { BalanceButton } from './balance-button.tsx'

/** Load the menu's code on hover or focus, before the player presses the button. */
const loadMenu = () => import('./balance-menu.tsx')
const BalanceMenu = lazy(async () => ({ default: (await lazyImport(loadMenu)).BalanceMenu }))

export function BalanceControl({ user }: { user: CurrentUser }) {
  const [asked, setAsked] = useState(false)
  const button = (
    <BalanceButton
      user={user}
      onClick={() => setAsked(true)}
      onPointerEnter={() => void lazyImport(loadMenu)}
      onFocus={() => void lazyImport(loadMenu)}
    />
  )
  if (!asked) return button
  return (
    <Suspense fallback={button}>
      <BalanceMenu user={user} />
    </Suspense>
  )
}
