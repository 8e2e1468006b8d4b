import { formatCount, formatName } from '@papermoon/format'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Fetched } from '../../components/feedback/fetched.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { DataTable } from './guide-block.tsx'

interface Rule {
  readonly calls: number
  readonly seconds: number
}

/** The part of the response of `GET /api/parameters` that this page shows. */
interface Parameters {
  readonly ordersUnderWay: number
  readonly bounds: Readonly<Record<string, number>>
  readonly rateLimits: readonly {
    readonly name: string
    readonly perAddress: Rule | null
    readonly perAccount: Rule | null
  }[]
}

const NAMES: Readonly<Record<string, string>> = {
  read: 'Read requests',
  write: 'Orders and other changes',
  launch: 'Token launches',
  upload: 'Picture uploads',
  waiting: 'Waiting orders',
  webhook: 'Webhook changes and tests',
}
/** Height of the table in px, which the page reserves so that nothing moves when the table appears. */
const PLACEHOLDER_HEIGHT = 1100

export function Limits() {
  const query = useQuery({ queryKey: ['parameters'], queryFn: fetchParameters })
  return (
    <Fetched query={query} failure="Could not load the limits" skeleton={<Skeleton height={PLACEHOLDER_HEIGHT} />}>
      {(parameters) => (
        <>
          {parameters.rateLimits.length === 0 ? (
            <p>
              The operator of this server has turned off all rate limits. An account can have{' '}
              {parameters.ordersUnderWay} orders in progress at a time.
            </p>
          ) : (
            <CallLimits {...parameters} />
          )}
          <Bounds bounds={parameters.bounds} />
        </>
      )}
    </Fetched>
  )
}

function CallLimits({ rateLimits, ordersUnderWay }: Parameters) {
  const limits = rateLimits.map(({ name, perAddress, perAccount }) => [
    NAMES[name] ?? name,
    toText(perAddress),
    toText(perAccount),
  ])
  return (
    <DataTable
      head={['Requests', 'Per IP address', 'Per account']}
      rows={[...limits, ['Orders in progress at a time', 'no limit', ordersUnderWay]]}
    />
  )
}

function Bounds({ bounds }: Pick<Parameters, 'bounds'>) {
  const rows = Object.entries(bounds).map(([name, most]) => [
    <Fragment key={name}>
      {formatName(name)}
      <br />
      <code>{name}</code>
    </Fragment>,
    formatCount(most),
  ])
  return <DataTable head={['Limit', 'Maximum']} rows={rows} />
}

async function fetchParameters(): Promise<Parameters> {
  const answer = await fetch('/api/parameters')
  if (!answer.ok) throw new Error(await answer.text())
  return await answer.json()
}

/** Formats a limit: `1,200 in 10 s`. */
function toText(rule: Rule | null): string {
  if (rule === null) return 'no limit'
  const { calls, seconds } = rule
  return `${formatCount(calls)} in ${seconds < 60 ? `${seconds} s` : `${seconds / 60} min`}`
}
