import { createFileRoute } from '@tanstack/react-router'
import { ProofScreen } from '../features/proof/proof-screen.tsx'
import type { TokenId } from '../lib/api/api.ts'
import { parseTokenId } from '../lib/format/id-in-address.ts'
import { OVERLAP_MS } from '../lib/live/follow.ts'

export const Route = createFileRoute('/proof')({
  validateSearch: (search: { token?: TokenId | undefined }) => search,
  loader: ({ context }) => {
    void context.cache.proof.summary.prefetch(undefined, { staleTime: OVERLAP_MS })
  },
  component: ProofRoute,
})

function ProofRoute() {
  const { token } = Route.useSearch()
  return <ProofScreen tokenId={parseTokenId(String(token))} />
}
