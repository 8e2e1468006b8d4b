import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { HomeScreen } from '../features/home/home-screen.tsx'
import { parseListingChoice } from '../features/home/listing/listing-choice.ts'
import { prefetchHome } from '../features/home/prefetch-home.ts'
import { useCurrentUser } from '../lib/api/current-user.ts'
import { lazyImport } from '../lib/boot/lazy-import.ts'
import { isIntentKept } from '../lib/market/intent-key.ts'

export const Route = createFileRoute('/')({
  validateSearch: parseListingChoice,
  loaderDeps: ({ search: { q, sort, rugged, starred } }) => ({ q, sort, rugged, starred }),
  loader: ({ context, deps }) => prefetchHome(context.cache, deps),
  component: HomeRoute,
})

const ContinueOffer = lazy(() =>
  lazyImport(() => import('../features/continue/continue-offer.tsx')).then((it) => ({ default: it.ContinueOffer })),
)

function HomeRoute() {
  const user = useCurrentUser()
  const [hasIntent] = useState(isIntentKept)
  return (
    <>
      {user !== null && hasIntent && (
        <Suspense>
          <ContinueOffer />
        </Suspense>
      )}
      <HomeScreen />
    </>
  )
}
