import { createFileRoute } from '@tanstack/react-router'
import { FairRecord } from '../features/fairs/fair-record.tsx'
import { UserNotFound, UserScreen } from '../features/users/user-screen.tsx'
import type { UserId } from '../lib/api/api.ts'
import { idInAddress } from '../lib/format/id-in-address.ts'
import { OVERLAP_MS } from '../lib/live/follow.ts'

/** Parses an id from the address; null where no player can have it. */
const parseUserId = idInAddress as (text: string) => UserId | null

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
  return id === null ? <UserNotFound /> : <UserScreen key={id} id={id} fairs={<FairRecord id={id} />} />
}
