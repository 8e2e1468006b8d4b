import { Link } from '@tanstack/react-router'
import { FetchFailed } from '../../../components/feedback/fetch-failed.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { type TokenId, trpc } from '../../../lib/api/api.ts'
import { getReason } from '../../../lib/api/failure.ts'
import { counted } from '../../../lib/format/counted.ts'
import text from '../proof-text.module.css'
import { ChainCheck } from './chain-check.tsx'
import { NoHashing } from './no-hashing.tsx'
import { canHash } from './sha256.ts'
import { TokenPicker } from './token-picker.tsx'

/** The panel for verifying a token's chain in the browser. */
export function ChainPanel({ tokenId }: { tokenId: TokenId | null }) {
  return (
    <Panel title="Verify a token">
      <p className={text.text}>
        Each trade of a token carries a number and a hash: SHA-256 over the hash before it and its own figures. Whoever
        changes an old trade has to change every hash behind it. Your browser works them all out again; of us it takes
        the trades, and nothing on trust.
      </p>
      {tokenId === null ? <TokenPicker /> : <ChosenToken key={tokenId} id={tokenId} />}
    </Panel>
  )
}

function ChosenToken({ id }: { id: TokenId }) {
  const query = trpc.proof.chain.useQuery({ id, limit: 1 })
  if (getReason(query.error) === 'TOKEN_NOT_FOUND') {
    return (
      <>
        <p className={text.bad}>There is no token {id}, or it was taken off the market.</p>
        <TokenPicker />
      </>
    )
  }
  if (query.isError) {
    const retry = () => void query.refetch()
    return <FetchFailed level={3} title="The chain is out of reach" error={query.error} onRetry={retry} />
  }
  if (query.data === undefined) return <Skeleton width="60%" height={46} />
  const { genesis, head } = query.data
  return (
    <>
      <p className={text.row}>
        <span>
          <Link to="/token/$id" params={{ id: String(id) }} className={text.token}>
            {genesis.name}
          </Link>{' '}
          {genesis.symbol}, {counted(head.seq, 'entry', 'entries')}
        </span>
        <Link to="/proof" search={{}} resetScroll={false} className={text.link}>
          Choose another
        </Link>
      </p>
      {canHash() ? <ChainCheck id={id} /> : <NoHashing id={id} />}
    </>
  )
}
