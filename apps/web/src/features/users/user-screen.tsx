import { Decimal, solText } from '@papermoon/amm'
import { formatSol, formatUsdHint } from '@papermoon/format'
import { useParams } from '@tanstack/react-router'
import { UnlessFailed } from '../../components/feedback/fetched.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Ago } from '../../components/figures/moment.tsx'
import { Sol } from '../../components/figures/sol.tsx'
import { StatCard, StatCards } from '../../components/figures/stat-cards.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import stub from '../../components/layout/stub.module.css'
import { PlayerAvatar } from '../../components/tokens/player-avatar.tsx'
import { BotMark } from '../../components/tokens/player-link.tsx'
import { type Profile, trpc, type UserId } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { lazyPart } from '../../lib/boot/lazy-import.ts'
import { parseUserId } from '../../lib/format/id-in-address.ts'
import { concernsHolder, useRefetchOn } from '../../lib/hooks/use-refetch-on.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { FairRecord } from '../fairs/fair-record.tsx'
import { HouseBotPanel } from './house-bot-panel.tsx'
import { ProfileBags, ProfileTrades } from './profile-lists.tsx'
import { ProfileRecord } from './profile-record.tsx'
import { StickerAlbum } from './sticker-album.tsx'
import classes from './user-screen.module.css'

const BALANCE_SHOWN = 2
const VALUE_SHOWN = 6

const FollowButton = lazyPart(() => import('../talk/follow-button.tsx'), 'FollowButton')
const ProfileTalk = lazyPart(() => import('../talk/profile-talk.tsx'), 'ProfileTalk')

export function UserScreen() {
  const id = parseUserId(useParams({ from: '/user/$id' }).id)
  return id === null ? <UserNotFound /> : <KnownUser key={id} id={id} />
}

function KnownUser({ id }: { id: UserId }) {
  const query = trpc.users.profile.useQuery({ id })
  const { data } = query
  const shown = new Set([
    ...(data?.holdings ?? []).map((holding) => holding.tokenId),
    ...(data?.createdTokens ?? []).map((token) => token.id),
  ])
  useRefetchOn((event) => data !== undefined && concernsHolder(event, id, shown), query.refetch)
  useTitle(data?.user.username ?? 'Trader Profile')

  return (
    <UnlessFailed level={1} query={query} failure="Failed to fetch profile" instead={{ NOT_FOUND: <UserNotFound /> }}>
      <ProfilePage id={id} profile={data} />
    </UnlessFailed>
  )
}

function ProfilePage({ id, profile }: { id: UserId; profile: Profile | undefined }) {
  const me = useCurrentUser()
  const isOwn = me?.id === id
  return (
    <div className="mt-s">
      <ProfileHeader user={profile?.user} followedId={isOwn ? null : id} />
      <ProfileCards profile={profile} />
      {profile?.user.emoji != null && <HouseBotPanel id={id} />}
      <ProfileRecord id={id} />
      <div className="stack gap-l mb-l">
        <ProfileTalk id={id} />
        <FairRecord id={id} />
      </div>
      <div className="columns-l top">
        <ProfileBags profile={profile} isOwn={isOwn} />
      </div>
      <div className="mt-l">
        <StickerAlbum id={id} isOwn={isOwn} />
      </div>
      <div className="mt-l">
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
        {balance && <Sol value={balance} digits={BALANCE_SHOWN} hasUnit />}
      </StatCard>
      <StatCard label="Portfolio Value" beside={cashOut && `cash-out ${formatSol(cashOut, VALUE_SHOWN)}`}>
        {value && <Sol value={value} digits={VALUE_SHOWN} hasUnit />}
      </StatCard>
      <StatCard label="Tokens Created">{profile?.createdTokens.length}</StatCard>
    </StatCards>
  )
}

function computeTotal(values: readonly string[]): string {
  return solText(values.reduce((sum, value) => sum.add(value), new Decimal(0)))
}

const AVATAR_PX = 84

interface ProfileHeaderProps {
  readonly user: Profile['user'] | undefined
  /** The player whom the buttons follow, report or block. Null on the viewer's own profile. */
  readonly followedId: UserId | null
}

function ProfileHeader({ user, followedId }: ProfileHeaderProps) {
  return (
    <header className={`flex round-m on-surface ${stub.ticket} mb-l ${classes.header}`}>
      <div className={`boxed fixed ${stub.stub} ${classes.stub}`}>
        {user && (
          <PlayerAvatar
            username={user.username}
            pictureUrl={user.profilePictureUrl}
            emoji={user.emoji}
            size={AVATAR_PX}
          />
        )}
      </div>
      <div className={`stack gap-xs grow centered p-l torn-left ${classes.body}`}>
        <h1 className={`accent text-s bold ${classes.title}`}>Trader Profile</h1>
        <p className={`one-line display text-2xl tight breaks two-lines ${classes.name}`} title={user?.username}>
          {user === undefined ? <Skeleton label="Loading profile" width={260} height="0.8em" /> : user.username}{' '}
          {user?.isBot && <BotMark />}
        </p>
        {user?.about != null && <p style={{ overflowWrap: 'anywhere' }}>{user.about}</p>}
        <p className="dim one-line">
          {user === undefined ? (
            <Skeleton width={170} height="1em" />
          ) : (
            <>
              Joined <Ago time={user.createdAt} />
            </>
          )}
        </p>
        {followedId !== null && (
          <div className="touch">
            <FollowButton id={followedId} />
          </div>
        )}
      </div>
    </header>
  )
}

function UserNotFound() {
  useTitle('User not found')
  return (
    <Notice
      level={1}
      emoji="🎭"
      title="User not found"
      action={<ButtonLink to="/leaderboard">See who is winning</ButtonLink>}
    >
      This user doesn't exist.
    </Notice>
  )
}
