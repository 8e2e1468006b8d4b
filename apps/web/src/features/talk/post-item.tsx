import { formatPrice, formatSol } from '@papermoon/format'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { PlayerFace } from '../../components/tokens/player-avatar.tsx'
import { PlayerLink } from '../../components/tokens/player-link.tsx'
import { trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { relativeTime } from '../../lib/format/relative-time.ts'
import { useAskForLogin } from '../../lib/hooks/use-ask-for-login.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { shareKey } from '../../lib/live/live-cache.ts'
import { Composer } from './composer.tsx'
import { ReportButton } from './report-button.tsx'
import classes from './talk.module.css'
import type { LivePost, Topic } from './use-posts.ts'
import { useThread } from './use-thread.ts'

const EDIT_MS = 60_000
const REACTIONS = { moon: '🌙', fire: '🔥', laugh: '😂', heart: '❤️', eyes: '👀', skull: '💀' } as const
type Reaction = keyof typeof REACTIONS

interface PostItemProps {
  readonly topic: Topic
  readonly post: LivePost
  readonly replies: readonly LivePost[]
  readonly put: (post: LivePost) => void
  /** Whether the discussion is closed, so that nobody can reply. */
  readonly isClosed?: boolean
}

/** Shows a post with its replies, and loads earlier replies on request. */
export function PostItem({ topic, post, replies, put, isClosed = false }: PostItemProps) {
  const place = `post-${post.id}`
  const sought = useLocation({ select: ({ hash }) => (hash.startsWith(`${place}-`) ? hash.split('-')[2] : undefined) })
  const [isPressed, setPressed] = useState<boolean | null>(null)
  const isOpen = isPressed ?? sought !== undefined
  const [isAnswering, setAnswering] = useState(false)
  const ask = useAskForLogin('join the discussion')
  const user = useCurrentUser()
  const thread = useThread({ post, replies, isOpen, sought: Number(sought ?? 0) })
  const count = Math.max(post.replies, thread.replies.length)
  const isShown = post.state === 'shown'
  return (
    <PostPlace name={place}>
      <Words post={post} topic={topic} put={put}>
        {isShown && !isClosed && (
          <button
            type="button"
            className={classes.action}
            onClick={() => (user === null ? ask() : setAnswering(!isAnswering))}
          >
            Reply
          </button>
        )}
        {count > 0 && (
          <button type="button" className={classes.action} aria-expanded={isOpen} onClick={() => setPressed(!isOpen)}>
            {count === 1 ? '1 reply' : `${count} replies`}
          </button>
        )}
      </Words>
      {isAnswering && (
        <Composer
          topic={topic}
          parent={post}
          onCancel={() => setAnswering(false)}
          onDone={(reply) => {
            put(reply)
            setAnswering(false)
            setPressed(true)
          }}
        />
      )}
      {isOpen && (
        <ol className={`ruled ${classes.replies}`} aria-label={`Replies to ${post.writer.username}`}>
          {thread.replies.map((reply) => (
            <PostPlace key={reply.id} name={`${place}-${reply.id}`}>
              <Words post={reply} topic={topic} put={put} />
            </PostPlace>
          ))}
          {thread.loadMore !== null && (
            <li>
              <Button look="quiet" onClick={thread.loadMore}>
                Load more replies
              </Button>
            </li>
          )}
        </ol>
      )}
    </PostPlace>
  )
}

const GONE = {
  deleted: 'Deleted.',
  hidden: 'A moderator hid this post.',
  held: 'This post waits for a moderator. Only you can see it.',
}

/**
 * A post with an anchor for links: `#post-12`, or `#post-12-34` for a reply. If the URL contains its anchor, the page
 * scrolls to the post and focuses it.
 */
function PostPlace({ name, children }: { name: string; children: ReactNode }) {
  const isSought = useLocation({ select: ({ hash }) => hash === name })
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (!isSought) return
    item.current?.scrollIntoView({ block: 'center' })
    item.current?.focus({ preventScroll: true })
  }, [isSought])
  return (
    <li ref={item} id={name} tabIndex={-1} className={`py-s ${classes.post}`} data-sought={isSought}>
      {children}
    </li>
  )
}

/**
 * Makes the page's chart mark the time of a post and the price at that time. The event's value null removes the mark.
 */
function markPost(detail: LivePost | null): void {
  dispatchEvent(new CustomEvent('papermoon-post', { detail }))
}

function Words({ post, topic, put, children }: Omit<PostItemProps, 'replies'> & { children?: ReactNode }) {
  const now = useNow()
  const [isEditing, setEditing] = useState(false)
  const { writer, text, state, createdAt, editedAt, price } = post
  if (isEditing)
    return (
      <Composer
        topic={topic}
        edited={post}
        onCancel={() => setEditing(false)}
        onDone={(changed) => {
          put(changed)
          setEditing(false)
        }}
      />
    )
  return (
    // Mark the post's time in the chart while the visitor points at it.
    <article
      aria-label={`Post by ${writer.username}`}
      onPointerEnter={() => markPost(post)}
      onPointerLeave={() => markPost(null)}
      onFocus={() => markPost(post)}
      onBlur={() => markPost(null)}
    >
      <p className="row gap-s wrap semibold">
        <PlayerFace id={writer.id} /> <PlayerLink {...writer} /> <Facts post={post} />
        <time
          className="small ml-auto regular"
          dateTime={createdAt}
          title={price === null ? createdAt : `Written when the price was ${formatPrice(price)} SOL, ${createdAt}`}
        >
          {relativeTime(createdAt, now)}
          {editedAt !== null && ', edited'}
        </time>
      </p>
      {text !== '' && (
        <p className="mt-xs breaks" dir="auto">
          {toParts(post).map(({ key, part }) => (
            <span key={key}>{part}</span>
          ))}
        </p>
      )}
      {state !== 'shown' && <p className="mt-xs dim">{GONE[state]}</p>}
      <div className="row gap-s wrap mt-xs">
        {state === 'shown' && <Reactions post={post} put={put} />}
        {children}
        <Own post={post} put={put} onEdit={() => setEditing(true)} now={now} />
        {state === 'shown' && <Report post={post} />}
      </div>
    </article>
  )
}

/** Shows the writer's current holding, which live trades update, or the writer's loss. */
function Facts({ post: { tokenId, writer, lost } }: { post: LivePost }) {
  const { isCreator, medals } = writer
  const { gold, silver, bronze } = medals
  const { data: share } = useQuery({
    queryKey: shareKey(tokenId ?? 0, writer.id),
    queryFn: skipToken,
    initialData: writer.share,
    gcTime: 0,
  })
  const won = [gold > 0 && `🥇${gold}`, silver > 0 && `🥈${silver}`, bronze > 0 && `🥉${bronze}`].filter(Boolean)
  return (
    <span className="row gap-s wrap">
      {isCreator && <span className="small">creator</span>}
      {lost !== undefined && <span className="down text-s">lost {formatSol(lost, 2)} SOL</span>}
      {lost === undefined && share !== null && (
        <span className="small">{share === '0' ? 'sold everything' : `holds ${share}%`}</span>
      )}
      {won.length > 0 && <span className="small">{won.join(' ')}</span>}
    </span>
  )
}

/** Turns players' names and URLs of this site into links, without changing other text. */
function toParts({ text, mentions }: LivePost): { key: number; part: ReactNode }[] {
  const names = mentions.map(({ username }) => `@${username}`)
  const own = `${location.origin}/`
  const ends = [...names, own].map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`(${ends.slice(0, -1).join('|') || '(?!)'}|${ends.at(-1)}[^\\s]*)`, 'i')
  return text.split(pattern).map((part, key) => {
    const player = mentions.find(({ username }) => part.toLowerCase() === `@${username}`.toLowerCase())
    if (player !== undefined) return { key, part: <a href={`/user/${player.id}`}>{part}</a> }
    return { key, part: part.startsWith(own) ? <a href={part}>{part}</a> : part }
  })
}

function Reactions({ post, put }: Pick<PostItemProps, 'post' | 'put'>) {
  const user = useCurrentUser()
  const ask = useAskForLogin('react')
  const [isOpen, setOpen] = useState(false)
  const mutation = trpc.talk.react.useMutation({ meta: { failure: 'Could not save your reaction' }, onSuccess: put })
  const react = (reaction: Reaction) => {
    if (user === null) return ask()
    setOpen(false)
    mutation.mutate({ id: post.id, reaction: post.reaction === reaction ? null : reaction })
  }
  const kinds = Object.keys(REACTIONS) as Reaction[]
  return (
    <>
      {kinds.map((kind) => {
        const count = post.reactions[kind] ?? 0
        if (count === 0 && !isOpen) return null
        return (
          <button
            key={kind}
            type="button"
            className={`on-raised ${classes.action}`}
            aria-pressed={post.reaction === kind}
            aria-label={`${kind}: ${count}`}
            onClick={() => react(kind)}
          >
            <span aria-hidden="true">{REACTIONS[kind]}</span> {count > 0 && count}
          </button>
        )
      })}
      {!isOpen && (
        <button type="button" className={classes.action} onClick={() => setOpen(true)}>
          React
        </button>
      )}
    </>
  )
}

interface OwnProps extends Pick<PostItemProps, 'post' | 'put'> {
  readonly onEdit: () => void
  readonly now: number
}

function Own({ post, put, onEdit, now }: OwnProps) {
  const user = useCurrentUser()
  const remove = trpc.talk.delete.useMutation({
    meta: { failure: 'Could not delete the post' },
    onSuccess: () => put({ ...post, state: 'deleted', text: '' }),
  })
  if (user?.id !== post.writer.id || post.state === 'deleted') return null
  return (
    <>
      {now - Date.parse(post.createdAt) < EDIT_MS && post.state !== 'hidden' && (
        <button type="button" className={classes.action} onClick={onEdit}>
          Edit
        </button>
      )}
      <button type="button" className={classes.action} onClick={() => remove.mutate({ id: post.id })}>
        Delete
      </button>
    </>
  )
}

function Report({ post: { id, writer } }: Pick<PostItemProps, 'post'>) {
  const user = useCurrentUser()
  return user?.id === writer.id ? null : <ReportButton id={id} kinds={['post']} />
}
