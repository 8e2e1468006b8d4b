import { useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { EnterButton } from '../../components/fairs/enter-button.tsx'
import { FairClock } from '../../components/fairs/fair-clock.tsx'
import { Fetched } from '../../components/feedback/fetched.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import type { Fair, FairList } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { lazyPart } from '../../lib/boot/lazy-import.ts'
import { describeSpan } from '../../lib/fairs/describe-span.ts'
import { useQuickArena } from '../../lib/fairs/use-enter-fair.ts'
import { useFairList } from '../../lib/fairs/use-fair-list.ts'
import { counted } from '../../lib/format/counted.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { FairLink, FairRows } from './fair-rows.tsx'
import classes from './fairs.module.css'
import type { MadeKind } from './new-fair-form.tsx'

const NewFairForm = lazyPart(() => import('./new-fair-form.tsx'), 'NewFairForm', <Skeleton height={420} />)

const RESULTS = 10
const RESULTS_MAX = 50

interface FairsScreenProps {
  readonly make: MadeKind | undefined
}

/** Lists all fairs: arenas, the season, the player's rooms, cups, and results, in this order. */
export function FairsScreen({ make }: FairsScreenProps) {
  const [limit, setLimit] = useState(RESULTS)
  const list = useFairList(limit)
  const isBeginning = useBeginsQuick()
  return (
    <div className={`daylight stack gap-l p-l round-l ink ${classes.screen}`}>
      <PageHead title="Fairs" lead="Everyone starts with the same SOL. When the bell rings, the ranking is final." />
      {isBeginning ? (
        <Skeleton height={420} />
      ) : (
        <Fetched level={2} query={list} failure="Could not load the fairs" skeleton={<Skeleton height={420} />}>
          {(fairs) => (
            <Lists list={fairs} make={make} hasMore={limit < RESULTS_MAX} onMore={() => setLimit(RESULTS_MAX)} />
          )}
        </Fetched>
      )}
    </div>
  )
}

/**
 * Starts a quick arena if a button on another page requested it, and returns whether the server is still creating it.
 */
function useBeginsQuick(): boolean {
  const isAsked = useLocation({ select: ({ state }) => state.beginsQuick === true })
  const user = useCurrentUser()
  const navigate = useNavigate()
  const { begin, isBeginning } = useQuickArena({ replaces: true })
  const start = useEffectEvent(() => {
    // Remove the request from the URL, because a reload or the Back button would otherwise start another arena.
    if (user !== null) void navigate({ to: '/fairs/{-$id}', replace: true, state: {} })
    begin()
  })
  useEffect(() => {
    if (isAsked) start()
  }, [isAsked])
  return isAsked || isBeginning
}

interface ListsProps extends FairsScreenProps {
  readonly list: FairList
  readonly hasMore: boolean
  readonly onMore: () => void
}

function Lists({ list, make, hasMore, onMore }: ListsProps) {
  const now = [...list.running, ...list.upcoming]
  const of = (...kinds: readonly Fair['kind'][]) => now.filter(({ kind }) => kinds.includes(kind))
  const quick = now.filter(({ isQuick }) => isQuick)
  const arenas = of('arena')
    .filter(({ isQuick }) => !isQuick)
    .slice(0, 2)
  const seasons = of('season')
  const ended = list.ended
  return (
    <>
      {arenas.length > 0 || list.houseBots ? (
        <div className="columns">
          {list.houseBots && <QuickTicket />}
          {arenas.map((fair, index) => (
            <Ticket key={fair.id} fair={fair} when={tellWhen(arenas, index)} isFirst={index === 0} />
          ))}
        </div>
      ) : (
        <Notice emoji="🎡" title="No arena is planned">
          Make a room below, and send its link to the people you want to beat.
        </Notice>
      )}
      <FairPanel title="Quick arenas" note="Others can enter in the first minute." fairs={quick} />
      <FairPanel title="The season" fairs={seasons}>
        {seasons[0] !== undefined && (
          <div className="acts">
            <EnterButton fair={seasons[0]} isQuiet />
          </div>
        )}
      </FairPanel>
      <Rooms fairs={of('room', 'sandbox')} make={make} hasBots={list.houseBots} />
      <FairPanel title="Cups" note="Only bots play in cups. They enter with an API key." fairs={of('cup')} />
      {ended.length > 0 && (
        <FairPanel title="Results" fairs={ended}>
          {hasMore && list.nextCursor !== null && (
            <Button look="quiet" onClick={onMore}>
              Older results
            </Button>
          )}
        </FairPanel>
      )}
    </>
  )
}

/** Describes when an arena starts. Only the first of several arenas is called the "next" one. */
function tellWhen(arenas: readonly Fair[], index: number): string {
  if (arenas[index]?.state === 'open') return 'Trading now'
  return index > 0 && arenas[index - 1]?.state !== 'open' ? 'A later arena' : 'Next arena'
}

/** A card for a quick arena. The arena starts when the player presses the button. */
function QuickTicket() {
  const { begin, isBeginning } = useQuickArena()
  return (
    <section className={`card stack gap-s fit ${classes.ticket}`} data-first="true" aria-label="Quick arena">
      <p className="small semibold">Starts when you press Play</p>
      <h2 className="stack text-l plain">Quick arena</h2>
      <p className="display text-2xl tight">5 minutes</p>
      <p className="dim">
        You play against seven house bots. Everyone starts with 100 SOL. To be ranked, buy and sell for 100 SOL in total
        in the first 3:20 minutes. The result changes your rating.
      </p>
      <Button tall disabled={isBeginning} onClick={begin}>
        {isBeginning ? 'Starting...' : 'Play a quick arena'}
      </Button>
    </section>
  )
}

/** A card for an arena that the player can enter. */
function Ticket({ fair, when, isFirst }: { fair: Fair; when: string; isFirst: boolean }) {
  return (
    <section className={`card stack gap-s fit ${classes.ticket}`} data-first={isFirst} aria-label={fair.name}>
      <p className="small semibold">{when}</p>
      <h2 className="stack text-l plain">
        <FairLink fair={fair} />
      </h2>
      <p className="display text-2xl tight">
        <FairClock fair={fair} />
      </p>
      <p className="dim">
        {describeSpan(fair, useNow())} · {counted(fair.entrants, 'player')} · everyone starts with {fair.stake} SOL
        {fair.rugs && ' · rug night'}
      </p>
      <EnterButton fair={fair} isQuiet={!isFirst} />
    </section>
  )
}

interface FairPanelProps {
  readonly title: string
  readonly note?: string
  readonly fairs: readonly Fair[]
  readonly children?: ReactNode
}

/** A panel that lists fairs, and renders nothing if the list is empty. */
function FairPanel({ title, note, fairs, children }: FairPanelProps) {
  if (fairs.length === 0) return null
  return (
    <Panel title={title}>
      {note !== undefined && <p className="dim">{note}</p>}
      <FairRows fairs={fairs} />
      {children}
    </Panel>
  )
}

interface RoomsProps extends FairsScreenProps {
  readonly fairs: readonly Fair[]
  readonly hasBots: boolean
}

function Rooms({ fairs, make, hasBots }: RoomsProps) {
  const user = useCurrentUser()
  return (
    <Panel title="Your rooms">
      {fairs.length > 0 && <FairRows fairs={fairs} />}
      {make !== undefined && user !== null ? (
        <NewFairForm kind={make} hasBots={hasBots} />
      ) : (
        <>
          <p className="dim">
            A room is a private fair. Anyone with the link can join. A cup is for bots only, but everyone can watch.
          </p>
          <div className="acts">
            <MakeLink kind="room" isGuest={user === null} />
            <MakeLink kind="cup" isGuest={user === null} />
          </div>
        </>
      )}
    </Panel>
  )
}

/** A button that opens the form for a new fair. Guests must register first. */
function MakeLink({ kind, isGuest }: { kind: MadeKind; isGuest: boolean }) {
  const to = isGuest
    ? ({ to: '/auth', state: { authTab: 'register', returnTo: `/fairs?make=${kind}` } } as const)
    : ({ to: '/fairs/{-$id}', search: { make: kind }, resetScroll: false } as const)
  return (
    <ButtonLink look="quiet" {...to}>
      Make a {kind}
    </ButtonLink>
  )
}
