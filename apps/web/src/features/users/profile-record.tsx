import { formatCount, formatSol } from '@papermoon/format'
import { UnlessFailed } from '../../components/feedback/fetched.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Gain } from '../../components/figures/gain.tsx'
import { NotCounted } from '../../components/figures/not-counted.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { SixHourRank } from '../../components/ranks/six-hour-rank.tsx'
import { type LaunchRecord, type Results, trpc, type UserId } from '../../lib/api/api.ts'
import { counted } from '../../lib/format/counted.ts'
import { concernsHolder, useRefetchOn } from '../../lib/hooks/use-refetch-on.ts'

/** Time between two reads of the player's results, in ms. The server computes the results at most every 10 seconds. */
const RESULTS_EVERY_MS = 10_000
const SOL_SHOWN = 2

export function ProfileRecord({ id }: { id: UserId }) {
  return (
    <div className="columns-l mb-l">
      <TrackRecord id={id} />
      <SixHourRank userId={id} title="Six-hour rank" />
    </div>
  )
}

function TrackRecord({ id }: { id: UserId }) {
  const results = trpc.users.results.useQuery({ id })
  const launches = trpc.users.launchRecord.useQuery({ id })
  const refetch = () => Promise.all([results.refetch(), launches.refetch()])
  useRefetchOn((event) => concernsHolder(event, id), refetch, RESULTS_EVERY_MS)
  return (
    <Panel title="Track record">
      <UnlessFailed query={results} failure="Could not load the track record">
        <div>
          <p className="text-2xl heavy tight one-line">
            {results.data === undefined ? (
              <Skeleton width="8em" height="1em" />
            ) : results.data.closedPositions === 0 ? (
              'No closed positions yet'
            ) : (
              <>
                <Gain sol={results.data.closedProfit} decimals={SOL_SHOWN} /> <small>SOL</small>
              </>
            )}
          </p>
          <p className="mt-xs one-line">
            {results.data === undefined ? <Skeleton width="16em" height="1em" /> : <Positions results={results.data} />}
          </p>
          <p className={`mt-xs one-line ${launches.data !== undefined && launches.data.rugged > 0 ? 'alarm' : 'dim'}`}>
            {launches.data === undefined ? <Skeleton width="18em" height="1em" /> : formatLaunches(launches.data)}
          </p>
          {launches.data !== undefined && <Verdicts record={launches.data} />}
          {results.data !== undefined && (
            <NotCounted
              parts={[
                { sol: results.data.notCounted.rugs, from: 'rug pulls' },
                { sol: results.data.notCounted.partialSales, from: 'partial sales of open positions' },
                { sol: results.data.notCounted.launchFees, from: 'launch fees' },
              ]}
              why="The track record counts only positions that are closed. Rug pulls do not count, because a player could pay for one with a second account."
            />
          )}
        </div>
      </UnlessFailed>
    </Panel>
  )
}

function Positions({ results }: { results: Results }) {
  const { closedPositions, wonPositions, openPositions, openProfit } = results
  return (
    <span title="A position closes when the player sells all its tokens or the token is rugged.">
      {closedPositions > 0 && `${counted(closedPositions, 'closed position')}, ${formatCount(wonPositions)} won`}
      {closedPositions > 0 && openPositions > 0 && ' · '}
      {openPositions > 0 && (
        <>
          {counted(openPositions, 'open position')}, <Gain sol={openProfit} decimals={SOL_SHOWN} /> SOL if sold now
        </>
      )}
    </span>
  )
}

/** Shows the verdicts of rug courts about the player's tokens. */
function Verdicts({ record: { fairGame, scoundrel } }: { record: LaunchRecord }) {
  const found = Object.entries({ Scoundrel: scoundrel, 'Fair game': fairGame }).filter(([, count]) => count > 0)
  return found.map(([verdict, count]) => (
    <p
      key={verdict}
      className={`stamp mt-s inline-block text-l ${verdict === 'Scoundrel' ? 'alarm' : ''}`}
      title={`${counted(count, 'rug court')} gave this verdict`}
    >
      {verdict} ×{count}
    </p>
  ))
}

/** Describes in one sentence what a player did with their launched tokens. */
function formatLaunches({ launched, rugged, ruggedAmount }: LaunchRecord): string {
  if (launched === 0) return 'This player has launched no token in the main market.'
  const tokens = `${formatCount(launched)} ${launched === 1 ? 'token' : 'tokens'} in the main market`
  if (rugged === 0) return `This player launched ${tokens} and rugged none.`
  const sol = formatSol(ruggedAmount)
  return `This player launched ${tokens}, rugged ${formatCount(rugged)} and took ${sol} SOL.`
}
