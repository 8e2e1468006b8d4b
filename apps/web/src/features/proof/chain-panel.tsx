import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Fetched } from '../../components/feedback/fetched.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { type TokenId, trpc } from '../../lib/api/api.ts'
import { counted } from '../../lib/format/counted.ts'
import { canHash } from '../../lib/format/sha256.ts'
import { PAGING, SEARCH_MAX, TYPING_MS, toListing } from '../../lib/market/listing.ts'
import { ChainCheck } from './chain-check.tsx'

/** Verifies a token's chain in the browser. */
export function ChainPanel({ tokenId }: { tokenId: TokenId | null }) {
  return (
    <Panel title="Verify a token">
      <p className="dim prose pretty">
        Each trade has a number and a hash, which is the SHA-256 of the previous hash and the trade’s data. If anyone
        changed an old trade, every later hash would change. Your browser computes all hashes again from our list of
        trades.
      </p>
      {tokenId === null ? <TokenPicker /> : <ChosenToken key={tokenId} id={tokenId} />}
    </Panel>
  )
}

function ChosenToken({ id }: { id: TokenId }) {
  const query = trpc.proof.chain.useQuery({ id, limit: 1 })
  const missing = (
    <>
      <p className="problem">Token {id} does not exist, or an operator has hidden it.</p>
      <TokenPicker />
    </>
  )
  return (
    <Fetched
      query={query}
      failure="Could not load the chain"
      skeleton={<Skeleton width="60%" height={46} />}
      instead={{ TOKEN_NOT_FOUND: missing }}
    >
      {({ genesis, head }) => <ChosenChain id={id} genesis={genesis} seq={head.seq} />}
    </Fetched>
  )
}

interface ChosenChainProps {
  readonly id: TokenId
  readonly genesis: { readonly name: string; readonly symbol: string }
  readonly seq: number
}

function ChosenChain({ id, genesis, seq }: ChosenChainProps) {
  return (
    <>
      <p className="row gap-m wrap">
        <span>
          <Link to="/token/$id" params={{ id: String(id) }} className="strong">
            {genesis.name}
          </Link>{' '}
          {genesis.symbol}, {counted(seq, 'entry', 'entries')}
        </span>
        <Link to="/proof" search={{}} resetScroll={false} className="link">
          Choose another token
        </Link>
      </p>
      {canHash() ? <ChainCheck id={id} /> : <NoHashing id={id} />}
    </>
  )
}

/** Says that the browser cannot compute hashes on an insecure page. */
function NoHashing({ id }: { id: TokenId }) {
  return (
    <>
      <p className="dim prose pretty">
        <strong>Your browser cannot compute hashes on this page.</strong> The page was loaded over plain HTTP, and
        browsers allow cryptography only over HTTPS and on localhost. Open this page over HTTPS, or verify the token
        from the command line in a copy of the source code. You need only Node.js:
      </p>
      <code className="block p-s-m round-s on-sunken selectable mono text-s breaks">
        node packages/client/examples/verify-chain.ts {location.origin} {id}
      </code>
    </>
  )
}

const SHOWN = 6

/** A search field that finds the token to verify. */
function TokenPicker() {
  const [search, setSearch] = useState('')
  const [debounced] = useDebouncedValue(search, TYPING_MS)
  return (
    <>
      <TextField
        label="Which token?"
        type="search"
        placeholder="Name or ticker"
        autoComplete="off"
        spellCheck={false}
        maxLength={SEARCH_MAX}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <FoundTokens search={debounced} />
    </>
  )
}

/** Lists the matching tokens, or says why there are none. */
function FoundTokens({ search }: { search: string }) {
  // This list has its own cache entry, because its limit differs. The live feed does not update that cache entry.
  const listing = { ...toListing(search, 'mcap-high'), limit: SHOWN }
  const query = trpc.tokens.list.useInfiniteQuery(listing, { ...PAGING, placeholderData: keepPreviousData })
  const none =
    search.trim() === '' ? 'There are no tokens yet, so there is nothing to verify.' : 'No token has this name.'
  return (
    <Fetched
      query={{ ...query, data: query.data?.pages[0]?.tokens.slice(0, SHOWN) }}
      failure="Could not load tokens"
      skeleton={null}
      empty={!query.isPlaceholderData && <p className="set-apart">{none}</p>}
    >
      {(tokens) => (
        <ul className="columns touch" aria-label="Tokens to verify">
          {tokens.map((token) => (
            <li key={token.id}>
              <Link
                to="/proof"
                search={{ token: token.id }}
                resetScroll={false}
                className="row gap-s px-m round-s bare touch edge hover-edge"
              >
                <span className="emoji" aria-hidden="true">
                  {token.emoji}
                </span>
                <span className="cut fit semibold">{token.name}</span>
                <span className="small ml-auto cut">{token.symbol}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Fetched>
  )
}
