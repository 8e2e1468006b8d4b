import { useParams } from '@tanstack/react-router'
import { FairRecord } from '../features/fairs/fair-record.tsx'
import { UserNotFound, UserScreen } from '../features/users/user-screen.tsx'
import { lazyPart } from '../lib/boot/lazy-import.ts'
import { parseUserId } from '../lib/format/id-in-address.ts'

const FollowButton = lazyPart(() => import('../features/talk/follow-button.tsx'), 'FollowButton')
const ProfileTalk = lazyPart(() => import('../features/talk/profile-talk.tsx'), 'ProfileTalk')

export function UserRoute() {
  const id = parseUserId(useParams({ from: '/user/$id' }).id)
  if (id === null) return <UserNotFound />
  const fairs = (
    <>
      <ProfileTalk id={id} />
      <FairRecord id={id} />
    </>
  )
  return <UserScreen key={id} id={id} fairs={fairs} actions={<FollowButton id={id} />} />
}
