import { LEAGUE_POINTS } from '@papermoon/contract/fair-tokens'
import { formatChange, getSign } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { Fetched } from '../../components/feedback/fetched.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Spoken } from '../../components/feedback/spoken.tsx'
import { getTone, Trend } from '../../components/figures/change.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { type Tape, type TapeResult, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { counted } from '../../lib/format/counted.ts'
import { formatMoment } from '../../lib/format/moment-text.ts'
import { copyWithToast } from '../../lib/ui/copy-text.ts'
import { offerToShare } from '../../lib/ui/share-card.ts'
import classes from './tape.module.css'
import { TapeChart } from './tape-chart.tsx'
import { TapeStrip } from './tape-strip.tsx'
import { TAPE_MS } from './use-tape-play.ts'

interface TapeRevealProps {
  readonly tape: Tape
  /** Whether the game ended while this page was open, so that its result is new. */
  readonly isNew: boolean
}

export function TapeReveal({ tape: { day, streak }, isNew }: TapeRevealProps) {
  const query = trpc.tape.result.useQuery({ day })
  return (
    <Fetched level={2} query={query} failure="Could not load the result" skeleton={<Skeleton height={470} />}>
      {(result) => <Result result={result} streak={streak} isNew={isNew} />}
    </Fetched>
  )
}

function Result({ result, streak, isNew }: { result: TapeResult; streak: number; isNew: boolean }) {
  const { mine, best, points } = result
  const user = useCurrentUser()
  return (
    <section className="card card-big stack gap-l fit" aria-labelledby="tape-result">
      <TokenLine result={result} />
      <TapeChart
        points={points}
        untilMs={TAPE_MS}
        boughtMs={mine?.boughtMs ?? null}
        soldMs={mine?.soldMs ?? null}
        best={best}
        label="The whole tape with your trades and the best possible trades"
      />
      {mine !== null && (
        <div className="stack middle gap-s fit text-center">
          <p className="display text-3xl solid">
            {isNew && <Spoken>{`Your result: ${formatChange(mine.percent)}`}</Spoken>}
            <Trend sign={getSign(mine.percent)}>{formatChange(mine.percent)}</Trend>
          </p>
          <TapeStrip strip={mine.strip} />
          <p className="small">Each square is 20 seconds: ▲ your token rose, ▼ it fell, empty means you held none.</p>
          <p>{compare(result)}</p>
          {user !== null && mine.boughtMs !== null && (
            <p className="dim">
              You won {getSign(mine.percent) > 0 ? LEAGUE_POINTS.tapeGain : LEAGUE_POINTS.tape} points for the{' '}
              <Link to="/leaderboard" hash="league" resetScroll={false}>
                league
              </Link>
              .
            </p>
          )}
          <Button onClick={() => void share(result, mine, streak)}>Share your result</Button>
        </div>
      )}
      <Bars result={result} />
      <p className="dim text-center">On the line, ☆ marks the best buy and ★ the best sale.</p>
      {user === null && (
        <p className="p-m-l round-m on-raised apart">
          <span>Register to keep your result and your streak.</span>
          <ButtonLink to="/auth" state={{ authTab: 'register', returnTo: '/tape' }} look="quiet">
            Keep my result
          </ButtonLink>
        </p>
      )}
      {result.text !== null && <Check commit={result.commit} text={result.text} />}
    </section>
  )
}

function TokenLine({ result: { token, isGenerated, fromSeq, from, to, points } }: { result: TapeResult }) {
  if (token === null || fromSeq === null || from === null || to === null) {
    return (
      <h2 id="tape-result" className="text-2xl tight breaks">
        {isGenerated ? 'A made-up market' : 'A token that is now hidden'}
      </h2>
    )
  }
  return (
    <div>
      <h2 id="tape-result" className="text-2xl tight breaks">
        <span aria-hidden="true">{token.emoji}</span> {token.name}{' '}
        <span className="plain text-m semibold dim">{token.symbol}</span>
      </h2>
      <p className="mt-s dim">
        In three minutes, you saw {counted(points.length, 'trade')} from {formatMoment(from)} to {formatMoment(to)}.{' '}
        <Link to="/token/$id" params={{ id: String(token.id) }} search={{ at: fromSeq }}>
          Watch it in the time machine
        </Link>
      </p>
    </div>
  )
}

function compare({ players: { count, beaten }, bots, mine }: TapeResult): string {
  if (mine === null || mine.boughtMs === null) return 'You did not buy, so you lost nothing.'
  const worse = bots.filter(({ percent }) => Number(percent) < Number(mine.percent)).length
  const against = bots.length === 0 ? '' : ` You did better than ${worse} of ${counted(bots.length, 'bot')}.`
  if (count === 0) return `Nobody else has played today.${against}`
  return `You did better than ${beaten} of ${counted(count, 'other player')}.`
}

/** Shows everyone's result as bars that start in the middle. */
function Bars({ result: { mine, hold, best, bots, players } }: { result: TapeResult }) {
  const rows: readonly (readonly [who: string, percent: string | null | undefined])[] = [
    ['You', mine?.percent],
    ['Best possible', best.percent],
    ['Held from start to end', hold],
    ...bots.map(({ username, percent }) => [`${username} (bot)`, percent] as const),
    ['Median player', players.median],
  ]
  const most = Math.max(1, ...rows.map(([, percent]) => Math.abs(Number(percent ?? 0))))
  return (
    <dl className="stack gap-s">
      {rows.map(([who, percent]) =>
        percent == null ? null : (
          <div key={who} className={`grid gap-m middle ${who === 'You' ? 'bold' : ''} ${classes.result}`}>
            <dt className={`tight ${who === 'You' ? 'ink' : ''}`}>{who}</dt>
            <dd className={`row gap-s nowrap ${classes.bars}`}>
              <span
                className={`fixed round-s ${classes.bar} ${getTone(getSign(percent))}`}
                style={{ width: `${(Math.abs(Number(percent)) / most) * 100}%` }}
                aria-hidden="true"
              />
              <Trend sign={getSign(percent)}>{formatChange(percent)}</Trend>
            </dd>
          </div>
        ),
      )}
    </dl>
  )
}

function Check({ commit, text }: { commit: string; text: string }) {
  return (
    <details className="dim breaks">
      <summary className="control">Check that nobody changed the tape</summary>
      <p className="mt-s">
        Before the tape began, we published the SHA-256 hash of this text, which names the token and its trades:
      </p>
      <pre className="pre-wrap">{text}</pre>
      <p>
        The hash is <code>{commit}</code>. The trades are in the token’s public journal.
      </p>
    </details>
  )
}

async function share(
  { day }: TapeResult,
  { strip, percent }: NonNullable<TapeResult['mine']>,
  streak: number,
): Promise<void> {
  const days = streak > 1 ? ` · ${streak} days` : ''
  const url = new URL('/tape', location.origin).href
  const text = `Papermoon tape ${day} · ${formatChange(percent)}${days}\n${strip}`
  if (await offerToShare(() => ({ text, url }))) return
  await copyWithToast(`${text}\n${url}`, 'Your result copied to clipboard', text)
}
