import { formatSol } from '@papermoon/format'
import { Fetched } from '../../components/feedback/fetched.tsx'
import { type Court, cache, type Token, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { serverNow } from '../../lib/api/server-now.ts'
import { counted } from '../../lib/format/counted.ts'
import { timeBetween } from '../../lib/format/relative-time.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Composer } from './composer.tsx'
import classes from './talk.module.css'
import type { LivePost } from './use-posts.ts'

const TESTIMONY_MAX = 140
const VOTERS_MIN = 5
const READ_EVERY_MS = 10_000
const VERDICTS = { 'fair game': 'Fair game', scoundrel: 'Scoundrel' } as const
type Verdict = keyof typeof VERDICTS

interface CourtBenchProps {
  readonly token: Pick<Token, 'id' | 'ruggedAt' | 'creator'>
  readonly posts: readonly LivePost[]
  readonly put: (post: LivePost) => void
}

/**
 * The court of a rugged token. For an hour after the rug pull, players can vote and make statements. After that hour,
 * the court shows the verdict.
 */
export function CourtBench({ token, posts, put }: CourtBenchProps) {
  const query = trpc.talk.court.useQuery(
    { id: token.id },
    // Repeat the request until shortly after the court's hour ends, to get the verdict.
    { refetchInterval: ({ state }) => isOpen(state.data, serverNow() - 2 * READ_EVERY_MS) && READ_EVERY_MS },
  )
  return (
    <Fetched isSmall query={query} failure="Could not load the court" skeleton={null}>
      {(court) => <Hearing court={court} token={token} posts={posts} put={put} />}
    </Fetched>
  )
}

function Hearing({ court, token, posts, put }: CourtBenchProps & { court: Court }) {
  const now = useNow()
  const vote = trpc.talk.vote.useMutation({
    meta: { failure: 'Could not count your vote' },
    onSuccess: (next) => void cache.talk.court.setData({ id: token.id }, next),
  })
  if (!isOpen(court, now)) return <Epitaph court={court} creator={token.creator.username} />
  const ends = timeBetween(new Date(now).toISOString(), court.endsAt)
  return (
    <div className="stack gap-s mb-s">
      <p>
        Was {token.creator.username} a scoundrel, or was it fair game? Players who lost SOL here can vote and post one
        statement each. The court closes in {ends}.
      </p>
      <Votes court={court} vote={(verdict) => vote.mutate({ id: token.id, verdict })} />
      <p className="dim">
        {court.voters < VOTERS_MIN
          ? `A verdict needs ${VOTERS_MIN} votes and has ${court.voters}`
          : counted(court.voters, 'vote')}
        . {describe(court)}
      </p>
      <Words token={token} court={court} posts={posts} put={put} />
    </div>
  )
}

function isOpen(court: Court | undefined, nowMs: number): boolean {
  return court !== undefined && Date.parse(court.endsAt) > nowMs
}

function describe({ canVote, lost }: Court): string {
  if (canVote) return 'Your vote counts 1 for each SOL you lost, up to 5.'
  if (lost !== null) return 'You can vote once your account is a day old. Bots and the creator cannot vote.'
  return 'A vote counts 1 for each SOL that the voter lost, up to 5.'
}

function Votes({ court, vote }: { court: Court; vote: (verdict: Verdict) => void }) {
  return (
    <div className="grid full gap-s cols-2">
      {(['fair game', 'scoundrel'] as const).map((verdict) => {
        const words = (
          <>
            {VERDICTS[verdict]}{' '}
            <small>{formatSol(verdict === 'scoundrel' ? court.scoundrel : court.fairGame, 2)} SOL</small>
          </>
        )
        if (!court.canVote) {
          return (
            <div key={verdict} className={`touch p-s round-s on-raised semibold stack edge ${classes.vote}`}>
              {words}
            </div>
          )
        }
        return (
          <button
            key={verdict}
            type="button"
            className={`touch p-s round-s on-raised semibold stack edge ${classes.vote}`}
            aria-pressed={court.vote === verdict}
            onClick={() => vote(verdict)}
          >
            {words}
          </button>
        )
      })}
    </div>
  )
}

/** A field for the only statement of a player who lost SOL, or for the creator's answer. */
function Words({ token, court, posts, put }: CourtBenchProps & { court: Court }) {
  const user = useCurrentUser()
  const isCreator = user?.id === token.creator.id
  const ruggedMs = Date.parse(token.ruggedAt ?? '')
  const hasSpoken = posts.some((post) => post.writer.id === user?.id && Date.parse(post.createdAt) >= ruggedMs)
  if (hasSpoken || (court.lost === null && !isCreator)) return null
  const label = isCreator ? 'Post your answer' : `You lost ${formatSol(court.lost ?? '0', 2)} SOL. Post your statement`
  return <Composer topic={{ tokenId: token.id }} words={{ label, max: TESTIMONY_MAX }} onDone={put} />
}

function Epitaph({ court, creator }: { court: Court; creator: string }) {
  const { verdict, voters, scoundrel, fairGame } = court
  const tally = `${counted(voters, 'player')} voted: ${formatSol(scoundrel, 2)} SOL for scoundrel and ${formatSol(fairGame, 2)} SOL for fair game.`
  return (
    <div className="stack gap-s mb-s">
      {verdict !== null && (
        <p className={`stamp self-start text-2xl ${verdict === 'scoundrel' ? 'alarm' : ''}`}>{VERDICTS[verdict]}</p>
      )}
      <p className="dim">
        {verdict === null
          ? `The court reached no verdict on ${creator}. `
          : `This is the court’s verdict on ${creator}. `}
        {tally} The discussion is closed.
      </p>
    </div>
  )
}
