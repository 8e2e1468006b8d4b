import { useMutation } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Fetched } from '../../components/feedback/fetched.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button } from '../../components/form/button.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { client, type Tape } from '../../lib/api/api.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { useDailyGame } from '../../lib/market/use-daily-game.ts'
import classes from './tape.module.css'
import { TapeDays } from './tape-days.tsx'
import { TapeGame } from './tape-game.tsx'
import { TapeReveal } from './tape-reveal.tsx'
import { cachePlay } from './use-tape-play.ts'

/**
 * The screen of the daily game. In three minutes, everyone replays the same part of a token's history, with one buy and
 * one sale.
 */
export function TapeScreen() {
  const query = useDailyGame()
  useTitle('Today’s tape')
  // During the game, use the whole window on phones, because the price line and the button need it.
  const isPlaying = query.data?.play?.isOver === false
  return (
    <div className={`stack gap-l mx-auto ${classes.screen}`}>
      {isPlaying ? (
        <h1 className="visually-hidden">Today’s tape</h1>
      ) : (
        <PageHead title="Today’s tape" lead={toLead(query.data)} />
      )}
      <Fetched level={2} query={query} failure="Could not load the tape" skeleton={<Skeleton height={470} />}>
        {(tape) => <Today tape={tape} answeredAt={query.dataUpdatedAt} />}
      </Fetched>
    </div>
  )
}

function toLead(tape: Tape | undefined): string {
  return tape?.isGenerated === true
    ? 'Watch three minutes of a made-up market. All players get the same tape, and there is a new one every day.'
    : 'Watch three minutes of a real token’s past. All players get the same tape, and there is a new one every day.'
}

function Today({ tape, answeredAt }: { tape: Tape; answeredAt: number }) {
  const { play } = tape
  const [wasOver] = useState(play?.isOver === true)
  const place = usePlaceOf(play === null ? 'begin' : play.isOver ? 'over' : 'runs')
  return (
    <>
      <div ref={place} tabIndex={-1}>
        {play === null ? (
          <Begin isGenerated={tape.isGenerated} />
        ) : play.isOver ? (
          <TapeReveal tape={tape} isNew={!wasOver} />
        ) : (
          <TapeGame play={play} answeredAt={answeredAt} />
        )}
      </div>
      <TapeDays tape={tape} />
    </>
  )
}

/** Moves the focus and the view to the game at each new phase, because the pressed button was removed. */
function usePlaceOf(phase: string): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef(phase)
  useEffect(() => {
    if (shown.current === phase) return
    shown.current = phase
    place.current?.focus({ preventScroll: true })
    scrollTo({ top: 0 })
  }, [phase])
  return place
}

function Begin({ isGenerated }: { isGenerated: boolean }) {
  const begin = useMutation({
    mutationFn: () => client.tape.play.mutate(),
    onSuccess: cachePlay,
    meta: { failure: 'Could not start the tape' },
  })
  return (
    <section className="card card-big stack gap-l fit" aria-labelledby="tape-begin">
      <svg
        className={`full round-m ${classes.teaser}`}
        viewBox="0 0 600 160"
        aria-hidden="true"
        preserveAspectRatio="none"
      >
        <path className="plot-line" d="M0 118H44V96H90V110H138V64H190V78H236V40H270" />
      </svg>
      <h2 id="tape-begin" className="text-2xl solid">
        Will it rise?
      </h2>
      <ul className="bullets">
        <li>You see the price move, but not the token’s name or any numbers.</li>
        <li>Buy once with 1 SOL and sell once. If you still hold at the end, it sells automatically.</li>
        <li>
          {isGenerated
            ? 'This site does not have enough history yet, so today’s tape is made up.'
            : 'Afterwards you see which token it was and how other players did.'}
        </li>
      </ul>
      <Button tall onClick={() => begin.mutate()} disabled={begin.isPending}>
        Start the tape
      </Button>
    </section>
  )
}
