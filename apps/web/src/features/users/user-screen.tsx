import { Decimal, solText } from '@papermoon/amm'
import { FetchFailed } from '../../components/feedback/fetch-failed.tsx'
import { StatCard, StatCards } from '../../components/figures/stat-cards.tsx'
import { type Profile, trpc, type UserId } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { getReason } from '../../lib/api/failure.ts'
import { formatSol, formatUsdHint } from '../../lib/format/format.ts'
import { useRefetchOn } from '../../lib/hooks/use-refetch-on.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { concernsHolder } from '../../lib/live/concerns-holder.ts'
import { ProfileCreated } from './profile-created.tsx'
import { ProfileHeader } from './profile-header.tsx'
import { ProfileHoldings } from './profile-holdings.tsx'
import { ProfileRecord } from './profile-record.tsx'
import { ProfileTrades } from './profile-trades.tsx'
import { UserNotFound } from './user-not-found.tsx'
import classes from './user-screen.module.css'

const BALANCE_SHOWN = 2
const VALUE_SHOWN = 6

/** A player's public profile, updated live. */
export function UserScreen({ id }: { id: UserId }) {
  const query = trpc.users.profile.useQuery({ id })
  const { data, error } = query
  const shown = new Set([
    ...(data?.holdings ?? []).map((holding) => holding.tokenId),
    ...(data?.createdTokens ?? []).map((token) => token.id),
  ])
  useRefetchOn({
    concerns: (event) => data !== undefined && concernsHolder(event, id, shown),
    refetch: query.refetch,
  })
  useTitle(data?.user.username ?? 'Trader Profile')

  if (data !== undefined || query.isPending) return <ProfilePage id={id} profile={data} />
  if (getReason(error) === 'NOT_FOUND') return <UserNotFound />
  return <FetchFailed level={1} title="Failed to fetch profile" error={error} onRetry={() => void query.refetch()} />
}

/** The page; skeletons while `profile` is undefined. */
function ProfilePage({ id, profile }: { id: UserId; profile: Profile | undefined }) {
  const me = useCurrentUser()
  const isOwn = me !== null && me.id === profile?.user.id
  return (
    <div className={classes.page}>
      <ProfileHeader user={profile?.user} />
      <ProfileCards profile={profile} />
      <ProfileRecord id={id} />
      <div className={classes.lists}>
        <ProfileHoldings holdings={profile?.holdings} isOwn={isOwn} />
        <ProfileCreated tokens={profile?.createdTokens} isOwn={isOwn} />
      </div>
      <div className={classes.trades}>
        <ProfileTrades id={id} />
      </div>
    </div>
  )
}

function ProfileCards({ profile }: { profile: Profile | undefined }) {
  const balance = profile?.user.solBalance
  const value = profile && computeTotal(profile.holdings.map((holding) => holding.totalValue))
  const cashOut = profile && computeTotal(profile.holdings.map((holding) => holding.cashOutValue))
  return (
    <StatCards>
      <StatCard label="SOL Balance" beside={balance && formatUsdHint(balance)}>
        {balance && <Sol value={balance} decimals={BALANCE_SHOWN} />}
      </StatCard>
      <StatCard label="Portfolio Value" beside={cashOut && `cash-out ${formatSol(cashOut, VALUE_SHOWN)}`}>
        {value && <Sol value={value} decimals={VALUE_SHOWN} />}
      </StatCard>
      <StatCard label="Tokens Created" beside="launched at this fair">
        {profile?.createdTokens.length}
      </StatCard>
    </StatCards>
  )
}

function Sol({ value, decimals }: { value: string; decimals: number }) {
  return (
    <>
      <span title={`${value} SOL`}>{formatSol(value, decimals)}</span> <small>SOL</small>
    </>
  )
}

function computeTotal(values: readonly string[]): string {
  return solText(values.reduce((sum, value) => sum.add(value), new Decimal(0)))
}
