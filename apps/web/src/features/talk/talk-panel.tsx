import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Fetched } from '../../components/feedback/fetched.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import type { Token } from '../../lib/api/api.ts'
import { counted } from '../../lib/format/counted.ts'
import { Composer } from './composer.tsx'
import { CourtBench } from './court-bench.tsx'
import { PostItem } from './post-item.tsx'
import { ReportButton } from './report-button.tsx'
import classes from './talk.module.css'
import { type Topic, usePosts } from './use-posts.ts'

interface TalkPanelProps {
  readonly topic: Topic
  /** The token, if the topic is a token. The page of a rugged token shows a court, and later the verdict. */
  readonly rug?: Pick<Token, 'id' | 'ruggedAt' | 'creator'>
}

/** Number of posts that a token's page shows at first, because the page also has other panels. */
const FEW = 3

/** Shows posts about a token or in a lobby, newest first and live. */
export function TalkPanel({ topic, rug }: TalkPanelProps) {
  const { posts, replies, query, put, next, loadOlder } = usePosts(topic)
  const [isAsked, setWhole] = useState(false)
  const sought = useLocation({ select: ({ hash }) => /^post-(\d+)/.exec(hash)?.[1] })
  const isWhole = isAsked || sought !== undefined || !('tokenId' in topic)
  const findSought = useEffectEvent(() => {
    if (next !== null && Number(sought) < next) loadOlder()
  })
  useEffect(() => findSought(), [sought, next])
  const shown = isWhole ? posts : posts.slice(0, FEW)
  const isRugged = rug !== undefined && rug.ruggedAt !== null
  return (
    <Panel
      title={isRugged ? 'The rug court' : 'Talk'}
      className="fit"
      aside={'tokenId' in topic && <ReportButton id={topic.tokenId} label="Report this token" kinds={['token']} />}
    >
      {isRugged ? <CourtBench token={rug} posts={posts} put={put} /> : <Composer topic={topic} onDone={put} />}
      <NewPosts count={posts.length} />
      {posts.length === 0 && (
        <Fetched level={2} query={query} failure="Could not load the posts" skeleton={<Skeleton height={40} />}>
          {() => <p className="mt-xs dim">No posts yet.</p>}
        </Fetched>
      )}
      <ol className={`px-s bleed-s scrolls ruled ${classes.posts}`} aria-label="Posts">
        {shown.map((post) => (
          <PostItem
            key={post.id}
            topic={topic}
            post={post}
            replies={replies.get(post.id) ?? []}
            put={put}
            isClosed={isRugged}
          />
        ))}
        {!isWhole && posts.length > FEW && (
          <li>
            <Button look="quiet" wide onClick={() => setWhole(true)}>
              Show all posts
            </Button>
          </li>
        )}
        {isWhole && next !== null && (
          <li>
            <Button look="quiet" wide onClick={() => loadOlder()}>
              Load older posts
            </Button>
          </li>
        )}
      </ol>
    </Panel>
  )
}

/** Min time in ms between two announcements of new posts to screen readers. */
const TELL_EVERY_MS = 15_000

function NewPosts({ count }: { count: number }) {
  const now = useRef(count)
  const announced = useRef<number | null>(null)
  const [words, setWords] = useState('')
  useEffect(() => {
    now.current = count
  })
  useEffect(() => {
    const tell = () => {
      const more = announced.current === null ? 0 : now.current - announced.current
      announced.current = now.current
      setWords(more > 0 ? counted(more, 'new post') : '')
    }
    const timer = setInterval(tell, TELL_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="visually-hidden" role="status">
      {words}
    </p>
  )
}
