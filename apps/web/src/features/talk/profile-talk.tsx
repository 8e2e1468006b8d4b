import { Link } from '@tanstack/react-router'
import { Ago } from '../../components/figures/moment.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { trpc, type UserId } from '../../lib/api/api.ts'
import { polled } from '../../lib/api/query-client.ts'
import { counted } from '../../lib/format/counted.ts'
import { toPostHash } from './use-posts.ts'

/** Time between two reads of the followers and posts, in ms. */
const EVERY_MS = 15_000

/** Shows a player's followers and last posts, or says that the player hides them. */
export function ProfileTalk({ id }: { id: UserId }) {
  const { data } = trpc.follows.of.useQuery({ userId: id }, polled(EVERY_MS))
  const posts = data?.posts ?? []
  return (
    <Panel title="Talk">
      {data !== undefined && (
        <p className="small">
          {data.followers === null
            ? 'This player hides their followers and posts.'
            : `${counted(data.followers, 'follower')}, follows ${counted(data.following ?? 0, 'player')}`}
        </p>
      )}
      {posts.length > 0 && (
        <details>
          <summary>{posts.length === 1 ? 'Last post' : `Last ${posts.length} posts`}</summary>
          <ol>
            {posts.map((post) => (
              <li key={post.id} className="py-s">
                <p className="mt-xs breaks" dir="auto">
                  {post.text}
                </p>
                <p className="row gap-s wrap mt-xs">
                  <Link to="/token/$id" params={{ id: String(post.tokenId) }} hash={toPostHash(post)} className="small">
                    Open the discussion
                  </Link>
                  <span className="small ml-auto regular">
                    <Ago time={post.createdAt} />
                  </span>
                </p>
              </li>
            ))}
          </ol>
        </details>
      )}
    </Panel>
  )
}
