import { formatGain, formatSol, getSign } from '@papermoon/format'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Ago } from '../../components/figures/moment.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import type { AuditSummary } from '../../lib/api/api.ts'
import classes from './ledger-panel.module.css'
import screen from './proof-screen.module.css'
import text from './proof-text.module.css'

/** Number of decimals of SOL. All decimals are shown, because the amounts are exact. */
const SOL_DECIMALS = 9

const ACCOUNTS = [
  { key: 'balances', sign: '=', name: 'Balances', about: 'SOL that players hold.' },
  {
    key: 'pools',
    sign: '+',
    name: 'Pools',
    about: 'SOL that players paid into token pools. Sales are paid from the pools.',
  },
  { key: 'treasury', sign: '+', name: 'Treasury', about: 'Trading fees and launch fees.' },
] as const

const GRANTS = [
  { key: 'register', name: 'Granted to new players', about: 'Every new player starts with 100 SOL.' },
  { key: 'reset', name: 'Granted in account resets', about: 'Players with less than 10 SOL can reset once a day.' },
  {
    key: 'house',
    name: 'Granted to house bots',
    about: 'Each bot starts with 1,000 SOL and gets at most 500 SOL a day.',
  },
] as const

interface LedgerPanelProps {
  /** The sums of the ledger, or undefined while they are loading. */
  readonly summary: AuditSummary | undefined
  /** Whether the last attempt to read the sums again failed. */
  readonly isLate: boolean
}

/** Shows where all SOL is. The equation is granted = balances + pools + treasury. */
export function LedgerPanel({ summary, isLate }: LedgerPanelProps) {
  return (
    <Panel title="Where all SOL is" className={screen.ledger}>
      <dl className="ruled">
        <Line sign="" name="Granted" about="All SOL that was ever created." amount={summary?.granted} />
        {GRANTS.map(({ key, name, about }) => (
          <Line key={key} sign="·" name={name} about={about} amount={summary?.grants[key]} isPart />
        ))}
        {ACCOUNTS.map(({ key, sign, name, about }) => (
          <Line key={key} sign={sign} name={name} about={about} amount={summary?.[key]} />
        ))}
        <div
          className={`row baseline between wrap gap-x-l py-s ${classes.line} ${classes.sum}`}
          data-exact={summary?.isExact}
        >
          <dt className="grow-wrap ink bold">
            Difference
            <span className="small regular block">Granted minus balances, pools and treasury.</span>
          </dt>
          <dd className="text-l heavy">
            {summary === undefined ? <Skeleton width="7em" height="1em" /> : <Difference summary={summary} />}
          </dd>
        </div>
      </dl>
      <p className="small">
        {summary === undefined ? (
          'Calculating…'
        ) : (
          <>
            Calculated from the database <Ago time={summary.checkedAt} />.
            {isLate ? ' The last update failed. We will try again.' : ' The figures update as players trade.'}
          </>
        )}
      </p>
    </Panel>
  )
}

interface LineProps {
  readonly sign: string
  readonly name: string
  readonly about: string
  readonly amount: string | undefined
  /** Whether this line is a part of the sum above. */
  readonly isPart?: boolean
}

function Line({ sign, name, about, amount, isPart = false }: LineProps) {
  return (
    <div className={`row baseline between wrap gap-x-l py-s ${classes.line}`} data-part={isPart}>
      <dt className="relative grow-wrap ink bold">
        <span className={`accent absolute ${classes.sign}`} aria-hidden="true">
          {sign}
        </span>
        {name}
        <span className="small regular block">{about}</span>
      </dt>
      <dd className={`nowrap heavy ${isPart ? 'text-m dim' : 'text-xl'}`}>
        {amount === undefined ? <Skeleton width="7em" height="1em" /> : <Sol amount={amount} />}
      </dd>
    </div>
  )
}

/** Shows an exact amount. The part before the decimal point stands out. */
function Sol({ amount }: { amount: string }) {
  const [whole, decimals] = formatSol(amount, SOL_DECIMALS).split('.')
  return (
    <span title={`${amount} SOL`}>
      {whole}
      <span className="small semibold">.{decimals} SOL</span>
    </span>
  )
}

function Difference({ summary: { difference, isExact } }: { summary: AuditSummary }) {
  if (isExact) return <span className={text.good}>0, exact to the lamport</span>
  const amount = formatGain(difference, SOL_DECIMALS)
  return (
    <span className="problem">
      {getSign(difference) > 0 ? `${amount} SOL is missing` : `${amount} SOL was never granted`}
    </span>
  )
}
