import { createFileRoute } from '@tanstack/react-router'
import { LaunchScreen } from '../features/launch/launch-screen.tsx'

export const Route = createFileRoute('/launch')({
  validateSearch: (search: { fair?: number }) => search,
  component: LaunchRoute,
})

/** `?fair=12` launches in a fair. */
function LaunchRoute() {
  const { fair } = Route.useSearch()
  return Number.isSafeInteger(fair) ? <LaunchScreen fairId={fair} /> : <LaunchScreen />
}
