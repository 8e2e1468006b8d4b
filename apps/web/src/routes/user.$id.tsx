import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { FairRecord } from '../features/fairs/fair-record.tsx'
import { UserNotFound, UserScreen } from '../features/users/user-screen.tsx'
import type { UserId } from '../lib/api/api.ts'
import { lazyImport } from '../lib/boot/lazy-import.ts'
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

const ProfileTalk = lazy(() =>
  lazyImport(() => import('../features/talk/profile-talk.tsx')).then((part) => ({ default: part.ProfileTalk })),
)

function UserRoute() {
  const id = parseUserId(Route.useParams().id)
  if (id === null) return <UserNotFound />
  const fairs = (
    <>
      <Suspense>
        <ProfileTalk id={id} />
      </Suspense>
      <FairRecord id={id} />
    </>
  )
  return <UserScreen key={id} id={id} fairs={fairs} />
}
