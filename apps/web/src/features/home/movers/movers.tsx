import { formatMarketCap } from '@papermoon/format'
import { memo } from 'react'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Change } from '../../../components/figures/change.tsx'
import { Ago } from '../../../components/figures/moment.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { TokenTag } from '../../../components/tokens/token-tag.tsx'
import { type Token, trpc } from '../../../lib/api/api.ts'
import { polled } from '../../../lib/api/query-client.ts'
import { COLUMNS, type Column } from '../grid/columns.ts'
import classes from './movers.module.css'

/**
 * Time between two reads of the columns, in ms. Other tokens rarely enter a column, and live events update the values
 * and add launches.
 */
const EVERY_MS = 15_000
/** Number of tokens per column that fit beside the grid. */
const BESIDE = 5

export function Movers({ columns }: { columns: readonly Column[] }) {
  const { data } = trpc.tokens.movers.useQuery(undefined, polled(EVERY_MS))
  const tokens = { new: data?.fresh, rising: data?.rising, hot: data?.hot }
  // Hide a column beside the grid if it is empty.
  const isShown = (column: Column) => columns.includes(column) && (columns.length === 1 || tokens[column]?.length !== 0)
  return (
    <div className={`stack gap-m ${classes.columns}`}>
      {COLUMNS.filter(({ value }) => isShown(value)).map(({ value, label }) => (
        <Panel
          key={value}
          title={label}
          aside={CAPTIONS[value] !== null && <span className="dim text-s regular">{CAPTIONS[value]}</span>}
          className={classes.column ?? ''}
        >
          <MoverList column={value} tokens={columns.length === 1 ? tokens[value] : tokens[value]?.slice(0, BESIDE)} />
        </Panel>
      ))}
    </div>
  )
}

/** Captions that explain the order or the values of a column. */
const CAPTIONS: Readonly<Record<Column, string | null>> = {
  new: null,
  rising: 'sorted by recent buyers',
  hot: '24h volume',
}
const EMPTY: Readonly<Record<Column, string>> = {
  new: 'Nobody has launched a token yet.',
  rising: 'No token is rising right now.',
  hot: 'Nobody has traded today.',
}

interface MoverListProps {
  readonly column: Column
  /** Tokens of the column, or undefined while they are loading. */
  readonly tokens: readonly Token[] | undefined
}

function MoverList({ column, tokens }: MoverListProps) {
  if (tokens?.length === 0) return <p className="dim py-s">{EMPTY[column]}</p>
  if (tokens === undefined) return <Skeleton height={250} />
  return (
    <ol>
      {tokens.map((token) => (
        <Mover key={token.id} column={column} token={token} />
      ))}
    </ol>
  )
}

const Mover = memo(function Mover({ column, token }: { column: Column; token: Token }) {
  return (
    <li className={`row gap-s between fit relative ${classes.row}`}>
      <TokenTag
        id={token.id}
        emoji={token.emoji}
        name={token.name}
        symbol={token.symbol}
        // For a rugged token, the word "Rugged" replaces the value.
        rugged={false}
        sealedUntil={token.ruggedAt === null ? (token.seal?.liquidityUntil ?? null) : null}
      >
        <span className="dim fixed ml-auto text-s semibold nowrap">
          {token.ruggedAt !== null ? (
            <span className="problem">Rugged</span>
          ) : column === 'new' ? (
            <Ago time={token.createdAt} />
          ) : column === 'rising' ? (
            <Change percent={token.priceChange24h} />
          ) : (
            <span title={`Traded in 24 hours: ${token.volume24h} SOL`}>{formatMarketCap(token.volume24h)}</span>
          )}
        </span>
      </TokenTag>
    </li>
  )
})
