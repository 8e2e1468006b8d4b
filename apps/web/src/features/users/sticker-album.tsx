import { formatCount } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Ago } from '../../components/figures/moment.tsx'
import { Button } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { type Sticker, trpc, type UserId } from '../../lib/api/api.ts'
import { shareCard } from '../../lib/ui/share-card.ts'
import classes from './sticker-album.module.css'

/**
 * Shows the stickers that a player has earned. The other stickers are in a collapsed section. Renders nothing for house
 * bots.
 */
export function StickerAlbum({ id, isOwn }: { id: UserId; isOwn: boolean }) {
  const { data, isPending } = trpc.stickers.list.useQuery({ id })
  const all = data?.stickers ?? []
  const earned = all.filter(({ earnedAt }) => earnedAt !== null)
  const open = all.filter(({ earnedAt }) => earnedAt === null)
  if (isPending) return <Skeleton width="100%" height="6em" />
  // Render nothing after a failure, because the stickers are only decoration.
  if (all.length === 0) return null
  return (
    <div id="stickers">
      <Panel title="Stickers" aside={<span className="dim">{`${earned.length} of ${all.length}`}</span>}>
        {earned.length === 0 ? (
          <p className="dim">
            {isOwn ? 'No stickers yet. Your first trade earns your first sticker.' : 'No stickers yet.'}
          </p>
        ) : (
          <ul className="columns-s">
            {earned.map((sticker) => (
              <Earned key={sticker.id} sticker={sticker} userId={isOwn ? id : null} />
            ))}
          </ul>
        )}
        {isOwn && <p className="small">Most stickers need trades and launches outside fairs.</p>}
        {open.length > 0 && (
          <details>
            <summary className="touch py-s accent bold">{`Show ${formatCount(open.length)} more stickers to earn`}</summary>
            <ul className="columns">
              {open.map(({ id, emoji, name, rule }) => (
                <li key={id} className="row top gap-s fit">
                  <span className={`fixed emoji ${classes.faint}`} aria-hidden="true">
                    {emoji}
                  </span>
                  <span>
                    <strong>{name}</strong> <span className="small tight">{rule}</span>
                  </span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </Panel>
    </div>
  )
}

/** Shows an earned sticker. Another player's sticker has no share button, so `userId` is null. */
function Earned({ sticker, userId }: { sticker: Sticker; userId: UserId | null }) {
  const { id, emoji, name, rule, earnedAt, token } = sticker
  const share = () =>
    shareCard({ path: `/og/sticker/${id}/${userId}.png`, name: `${id}.png`, text: `${name}: ${rule}` })
  return (
    <li className={`stack middle fit text-center ${classes.sticker}`}>
      <span className={`mb-s round emoji text-2xl boxed ${classes.stamp}`} aria-hidden="true">
        {emoji}
      </span>
      <strong>{name}</strong>
      <span className="small tight">{rule}</span>
      <span className="small tight" style={{ marginBottom: 6 }}>
        {token !== null && (
          <>
            <Link to="/token/$id" params={{ id: String(token.id) }}>
              <span aria-hidden="true">{token.emoji}</span> {token.symbol}
            </Link>
            {' · '}
          </>
        )}
        {earnedAt !== null && <Ago time={earnedAt} />}
      </span>
      {userId !== null && (
        <Button look="quiet" aria-label={`Share ${name}`} onClick={() => void share()}>
          Share
        </Button>
      )}
    </li>
  )
}
