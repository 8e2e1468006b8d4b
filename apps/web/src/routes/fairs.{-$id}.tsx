import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { FairScreen } from '../features/fairs/fair-screen.tsx'
import { FairsScreen } from '../features/fairs/fairs-screen.tsx'
import { lazyImport } from '../lib/boot/lazy-import.ts'
import { idInAddress } from '../lib/format/id-in-address.ts'

export const Route = createFileRoute('/fairs/{-$id}')({
  validateSearch: (search: { invite?: string; make?: 'room' | 'cup' }) => search,
  component: FairsRoute,
})

const TalkPanel = lazy(() =>
  lazyImport(() => import('../features/talk/talk-panel.tsx')).then((part) => ({ default: part.TalkPanel })),
)
const drawTalk = (fairId: number) => (
  <Suspense>
    <TalkPanel topic={{ fairId }} />
  </Suspense>
)

const INVITE = /^[\w-]{22}$/

function FairsRoute() {
  const { id } = Route.useParams()
  const { invite, make } = Route.useSearch()
  if (id === undefined) return <FairsScreen key={make} make={make} />
  const code = INVITE.test(String(invite)) ? String(invite) : undefined
  return <FairScreen key={id} id={idInAddress(id)} invite={code} talk={drawTalk} />
}
