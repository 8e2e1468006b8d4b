import { FetchFailed } from '../../components/feedback/fetch-failed.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { type TokenId, trpc } from '../../lib/api/api.ts'
import { useRefetchOn } from '../../lib/hooks/use-refetch-on.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { ChainPanel } from './chain/chain-panel.tsx'
import { ReplayPanel } from './chain/replay-panel.tsx'
import { HeadsPanel } from './heads/heads-panel.tsx'
import { LedgerPanel } from './ledger/ledger-panel.tsx'
import { SupplyPanel } from './ledger/supply-panel.tsx'
import classes from './proof-screen.module.css'

const POLL_MS = 15_000
/** The server recomputes every 5 seconds, so refetching after each trade would return the same. */
const NEWS_EVERY_MS = 5_000

/** The proof page: sums, chains and published heads. */
export function ProofScreen({ tokenId }: { tokenId: TokenId | null }) {
  const query = trpc.proof.summary.useQuery(undefined, { refetchInterval: POLL_MS })
  useRefetchOn({ concerns: () => true, refetch: query.refetch, everyMs: NEWS_EVERY_MS })
  useTitle('Proof')
  return (
    <div className={classes.page}>
      <PageHead title="Proof" lead="The moon is paper, the books are not. Check our sums yourself." />
      {query.data === undefined && query.isError ? (
        <FetchFailed title="The books are out of reach" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className={classes.sums}>
          <LedgerPanel summary={query.data} isLate={query.isError} />
          <SupplyPanel summary={query.data} />
          <ReplayPanel summary={query.data} />
        </div>
      )}
      <ChainPanel tokenId={tokenId} />
      <HeadsPanel summary={query.data} isFailed={query.isError} />
    </div>
  )
}
