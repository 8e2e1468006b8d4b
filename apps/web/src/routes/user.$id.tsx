import { createFileRoute } from '@tanstack/react-router'
import { parseUserId } from '../features/users/user-id.ts'
import { UserNotFound } from '../features/users/user-not-found.tsx'
import { UserScreen } from '../features/users/user-screen.tsx'
import { OVERLAP_MS } from '../lib/live/follow.ts'

export const Route = createFileRoute('/user/$id')({
  loader: ({ context, params }) => {
    const id = parseUserId(params.id)
    // The live feed covers events since then; refetch anything older.
    if (id !== null) void context.cache.users.profile.prefetch({ id }, { staleTime: OVERLAP_MS })
  },
  component: UserRoute,
})

function UserRoute() {
  const id = parseUserId(Route.useParams().id)
  return id === null ? <UserNotFound /> : <UserScreen key={id} id={id} />
}
