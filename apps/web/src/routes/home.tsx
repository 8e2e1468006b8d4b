import { useState } from 'react'
import { HomeScreen } from '../features/home/home-screen.tsx'
import { useCurrentUser } from '../lib/api/current-user.ts'
import { lazyPart } from '../lib/boot/lazy-import.ts'
import { isIntentStored } from '../lib/market/intent-key.ts'

const ContinueOffer = lazyPart(() => import('../features/continue/continue-offer.tsx'), 'ContinueOffer')

export function HomeRoute() {
  const user = useCurrentUser()
  const [hasIntent] = useState(isIntentStored)
  return (
    <>
      {user !== null && hasIntent && <ContinueOffer />}
      <HomeScreen />
    </>
  )
}
