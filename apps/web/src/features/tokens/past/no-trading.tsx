import { formatSol, formatTokens } from '@papermoon/format'
import { Fetched } from '../../../components/feedback/fetched.tsx'
import { ButtonLink } from '../../../components/form/button.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { type PastBag, type Token, trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'

/** Reserves space for the holding, which arrives later. */
const ROOM = { minHeight: 92 }

interface NoTradingProps {
  readonly token: Token
  /** Sequence number of the event on the screen, or null while it changes. */
  readonly seq: number | null
}

/** Replaces the trade panel in the time machine, and says what the player could have earned. */
export function NoTrading({ token, seq }: NoTradingProps) {
  const user = useCurrentUser()
  return (
    <Panel title="If I had sold then">
      {user === null ? (
        <p className="dim">Log in to see what your tokens would have been worth at this time.</p>
      ) : (
        <OwnBag token={token} seq={seq} />
      )}
      <p className="dim">You cannot trade in the past.</p>
      <ButtonLink look="quiet" wide to="/token/$id" params={{ id: String(token.id) }} search={{}}>
        Return to the present
      </ButtonLink>
    </Panel>
  )
}

function OwnBag({ token, seq }: NoTradingProps) {
  const query = trpc.past.bag.useQuery(
    { tokenId: token.id, seq: seq ?? 0 },
    { enabled: seq !== null, placeholderData: (before) => before, staleTime: 0 },
  )
  const isBehind = seq === null || query.isPlaceholderData
  return (
    <Fetched
      query={query}
      isSmall
      failure="Could not load your holdings at this time"
      skeleton={<div style={ROOM} aria-hidden="true" />}
    >
      {(bag) => (
        <div style={ROOM} data-busy={isBehind} aria-busy={isBehind}>
          {bag.amount === '0' ? (
            <p className="dim">You held no {token.symbol} at this time.</p>
          ) : (
            <Worth bag={bag} symbol={token.symbol} />
          )}
        </div>
      )}
    </Fetched>
  )
}

function Worth({ bag, symbol }: { bag: PastBag; symbol: string }) {
  const { amount, cashOutValue, now } = bag
  return (
    <dl className="pairs grid gap-m cols-wide-fit" aria-label="If I had sold then">
      <dt>You held</dt>
      <dd title={amount}>
        {formatTokens(amount)} {symbol}
      </dd>
      <dt>You would have received</dt>
      <dd className="text-l" title={`${cashOutValue} SOL`}>
        {formatSol(cashOutValue)} SOL
      </dd>
      <dt>Value of the same tokens now</dt>
      <dd>
        {now.sameBag === null ? (
          'You have sold them'
        ) : (
          <span title={`${now.sameBag} SOL`}>{formatSol(now.sameBag)} SOL</span>
        )}
      </dd>
    </dl>
  )
}
