import { useEffect, useRef, useState } from 'react'
import { EnterButton } from '../../components/fairs/enter-button.tsx'
import { FairClock } from '../../components/fairs/fair-clock.tsx'
import { Fetched } from '../../components/feedback/fetched.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { ConfirmButton } from '../../components/form/confirm-button.tsx'
import { cache, type Fair, type FairRanking, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { lazyPart } from '../../lib/boot/lazy-import.ts'
import { describeLateness, describeSpan } from '../../lib/fairs/describe-span.ts'
import { getPhase, hasJoined, nameBellPart, type Phase, waitsForHost } from '../../lib/fairs/fair-time.ts'
import { forgetInvite } from '../../lib/fairs/stored-invite.ts'
import { forgetFair, useFair } from '../../lib/fairs/use-fair.ts'
import { useFairInHeader } from '../../lib/fairs/use-fair-in-header.ts'
import { counted } from '../../lib/format/counted.ts'
import { useFocusFallback } from '../../lib/hooks/use-focus-fallback.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { FairAlarm } from './fair-alarm.tsx'
import { FairAnnouncer } from './fair-announcer.tsx'
import { FairBooks } from './fair-books.tsx'
import { canEnd, FairHost } from './fair-host.tsx'
import { FairMarket } from './fair-market.tsx'
import { FairRankingPanel } from './fair-ranking.tsx'
import { FairResult, hasWon, Verdict } from './fair-result.tsx'
import { FairRules } from './fair-rules.tsx'
import classes from './fairs.module.css'

const TalkPanel = lazyPart(() => import('../talk/talk-panel.tsx'), 'TalkPanel')

interface FairScreenProps {
  /** The fair's id from the URL, or null if no fair can have this id. */
  readonly id: number | null
  readonly invite: string | undefined
}

/** Shows a fair live, from the lobby to the results. */
export function FairScreen({ id, ...rest }: FairScreenProps) {
  return id === null ? <NoFair name={null} /> : <LoadedFair id={id} {...rest} />
}

function LoadedFair({ id, invite }: FairScreenProps & { id: number }) {
  const { fair, ranking, query } = useFair(id, invite)
  useTitle(fair?.name ?? 'Fair')
  const isOut = fair?.kind === 'room' && fair.me?.hasLeft === true && !fair.me.isHost
  const [wasIn, setWasIn] = useState<string | null>(null)
  if (fair !== undefined && hasJoined(fair) && wasIn !== fair.name) setWasIn(fair.name)
  if (isOut) return <NoFair name={fair.name} />
  return (
    <Fetched
      level={1}
      query={query}
      failure="Could not load the fair"
      skeleton={<Skeleton height={520} />}
      instead={{ FAIR_NOT_FOUND: <NoFair name={wasIn} /> }}
    >
      {(fetched) => <FairPage fair={fair ?? fetched} ranking={ranking} invite={invite} />}
    </Fetched>
  )
}

/** Says that there is no such fair, or that the player is no longer in it. */
function NoFair({ name }: { name: string | null }) {
  useTitle(name ?? 'Fair not found')
  return (
    <Notice
      level={1}
      emoji="🎡"
      title={name === null ? 'Fair not found' : `You are no longer in ${name}`}
      action={
        <ButtonLink to="/fairs/{-$id}" params={{ id: undefined }}>
          See the fairs
        </ButtonLink>
      }
    >
      {name === null
        ? 'There is no fair at this address, or it is a room that you have not joined. Ask its host for the link.'
        : 'You left this room, or its host removed you. Nobody can enter a room twice. Play in another fair.'}
    </Notice>
  )
}

interface FairPageProps {
  readonly fair: Fair
  readonly ranking: FairRanking | undefined
  readonly invite: string | undefined
}

function FairPage({ fair, ranking, invite }: FairPageProps) {
  const user = useCurrentUser()
  const nowMs = useNow()
  const phase = getPhase(fair, nowMs)
  useFairInHeader(fair)
  const isHost = fair.host !== null && fair.host.id === user?.id
  const isOver = phase === 'over'
  const mine = fair.state === 'settled' ? (ranking?.mine ?? null) : null
  const result = mine && { mine, total: ranking?.ranked ?? 0 }
  const isBefore = phase === 'soon' || phase === 'lobby'
  // During trading, the host's buttons stand after the ranking, so that the tokens come first.
  const host = isHost && !isOver ? <FairHost fair={fair} invite={invite} /> : null
  const title = useRef<HTMLHeadingElement>(null)
  // Focus the title, because the pressed button disappears.
  useFocusFallback(title, `${hasJoined(fair)} ${isHost && fair.state === 'lobby'}`)
  useEffect(() => {
    if (isOver) forgetInvite(fair.id)
  }, [fair.id, isOver])
  return (
    <div className={`daylight stack gap-l p-l round-l ink ${classes.screen}`}>
      <header
        className={`row gap-x-l wrap p-l round-l ${classes.head}`}
        data-phase={phase}
        data-won={result !== null && hasWon(result.mine, result.total)}
      >
        <div className={`stack gap-xs ${classes.told}`}>
          <p className="small semibold">
            {describeKind(fair)}
            {fair.state === 'settled' && ' · over'}
          </p>
          <h1 ref={title} tabIndex={-1} className="text-2xl solid breaks">
            {fair.name}
          </h1>
          <p className="dim">
            {counted(fair.entrants, 'player')}
            {fair.bots > 0 && `, including ${counted(fair.bots, 'bot')}`}
            {fair.state === 'lobby' && fair.botsAtStart > 0 && ` · ${counted(fair.botsAtStart, 'bot')} will join`} ·
            everyone starts with {fair.stake} SOL
            {!isOver && ` · ${describeSpan(fair, nowMs)}`}
          </p>
        </div>
        {fair.state !== 'settled' && <Gate fair={fair} phase={phase} invite={invite} />}
        {result !== null && <Verdict fair={fair} {...result} />}
      </header>
      {fair.note !== null && <p className="p-m-l round-m on-raised">{fair.note}</p>}
      <FairAnnouncer phase={phase} />
      <FairAlarm fair={fair} />
      {isBefore && host}
      {phase === 'bell' && (
        <p className="p-m-l round-m on-raised on-moon bold text-center">
          The bell can ring at any moment now. Nobody knows when, not even us.
        </p>
      )}
      {phase === 'counting' && (
        <p className="p-m-l round-m on-raised on-moon bold text-center">
          The bell has rung. We are counting the results…
        </p>
      )}
      <div className={`stack gap-l ${classes.columns}`}>
        <div className={classes.column}>
          {isOver && <FairResult fair={fair} ranking={ranking} />}
          {isBefore ? <FairRules fair={fair} /> : !isOver && <FairMarket fair={fair} ranking={ranking} />}
          <div className={`stack gap-l ${classes.later}`}>
            {(fair.kind !== 'room' || hasJoined(fair) || isHost) && <TalkPanel topic={{ fairId: fair.id }} />}
            {(phase === 'open' || phase === 'bell') && <FairRules fair={fair} />}
          </div>
        </div>
        <div className={classes.column}>
          {ranking !== undefined && (
            <FairRankingPanel fair={fair} ranking={ranking} canRemove={isHost && !isOver && canEnd(fair)} />
          )}
          <div className={`stack left gap-l ${classes.later}`}>
            {!isBefore && host}
            {ranking !== undefined && !isBefore && <FairBooks fair={fair} sum={ranking.sum} />}
            {hasJoined(fair) && (phase === 'lobby' || phase === 'open') && <LeaveButton fair={fair} />}
          </div>
        </div>
      </div>
    </div>
  )
}

/** Shows the clock, the button to enter, and what happens next. */
function Gate({ fair, phase, invite }: Omit<FairPageProps, 'ranking'> & { phase: Phase }) {
  const bellPart = nameBellPart(fair)
  const late = describeLateness(fair, useNow())
  // On a phone, the player's figures show the clock.
  const isPlaying = hasJoined(fair) && (phase === 'open' || phase === 'bell')
  return (
    <div className="stack left gap-s">
      <p className={`display text-2xl tight ${isPlaying ? 'phone-hidden' : ''}`}>
        <FairClock fair={fair} />
      </p>
      {phase !== 'over' && <EnterButton fair={fair} invite={invite} isHere />}
      {hasJoined(fair) && fair.state === 'lobby' && <p className="small semibold">You are in. {describeStart(fair)}</p>}
      {phase === 'open' && bellPart !== null && (
        <p className="small semibold">The bell rings at a secret moment in the last {bellPart}.</p>
      )}
      {late !== null && (
        <p className="small semibold" data-kept>
          {late}
        </p>
      )}
      {fair.kind === 'cup' && phase !== 'over' && (
        <p className="small semibold">
          Bots enter with an API key: <code>POST /api/fairs/{fair.id}/enter</code>
        </p>
      )}
    </div>
  )
}

/** A button that leaves the fair. After trading has begun, a player who left cannot enter again. */
function LeaveButton({ fair }: { fair: Fair }) {
  const leave = trpc.fairs.leave.useMutation({
    onSuccess: () => {
      forgetFair(fair.id)
      void cache.fairs.list.invalidate()
      void cache.trading.position.invalidate()
    },
    meta: { failure: 'Could not leave the fair' },
  })
  return (
    <ConfirmButton
      action={fair.state === 'lobby' ? 'Leave' : 'Leave for good'}
      busy="Leaving..."
      isBusy={leave.isPending}
      onSure={() => leave.mutate({ id: fair.id })}
    />
  )
}

/** Describes who starts trading, unless only the host does, because the clock then says so. */
function describeStart(fair: Fair): string {
  if (waitsForHost(fair)) return ''
  if (fair.kind !== 'room') return 'Trading starts by itself.'
  return `Trading starts by itself, or earlier if ${fair.me?.isHost === true ? 'you start' : 'the host starts'} it.`
}

function describeKind({ kind, isQuick, host, me, rugs }: Fair): string {
  if (isQuick) return 'Quick arena'
  const names = { arena: rugs ? 'Rug night' : 'Arena', season: 'Season', room: 'Room', cup: 'Cup', sandbox: 'Sandbox' }
  if (host === null) return names[kind]
  return me?.isHost === true ? `Your ${names[kind].toLowerCase()}` : `${names[kind]} by ${host.username}`
}
