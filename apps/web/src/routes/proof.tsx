import { createFileRoute } from '@tanstack/react-router'
import { parseChosenToken } from '../features/proof/chain/chosen-token.ts'
import { ProofScreen } from '../features/proof/proof-screen.tsx'
import { OVERLAP_MS } from '../lib/live/follow.ts'

export const Route = createFileRoute('/proof')({
  validateSearch: parseChosenToken,
  loader: ({ context }) => {
    void context.cache.proof.summary.prefetch(undefined, { staleTime: OVERLAP_MS })
  },
  component: ProofRoute,
})

function ProofRoute() {
  const { token } = Route.useSearch()
  return <ProofScreen tokenId={token ?? null} />
}
