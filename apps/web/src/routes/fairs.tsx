import { useLocation, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { FairScreen } from '../features/fairs/fair-screen.tsx'
import { FairsScreen } from '../features/fairs/fairs-screen.tsx'
import { lazyPart } from '../lib/boot/lazy-import.ts'
import { idInAddress } from '../lib/format/id-in-address.ts'

const TalkPanel = lazyPart(() => import('../features/talk/talk-panel.tsx'), 'TalkPanel')
const drawTalk = (fairId: number) => (
  <>
    <TalkPanel topic={{ fairId }} />
  </>
)

const INVITE = /^(?:invite=)?([\w-]{22})$/

/** Shows all fairs, or one fair with its discussion. */
export function FairsRoute() {
  const { id } = useParams({ from: '/fairs/{-$id}' })
  const { invite, make } = useSearch({ from: '/fairs/{-$id}' })
  const hash = useLocation({ select: (location) => location.hash })
  // Store the invite code here, because the skip link changes the hash.
  const [codes] = useState(() => new Map<string, string>())
  if (id === undefined) return <FairsScreen key={make} make={make} />
  // Links from earlier versions have the code in the query, where servers log it.
  const [, code = codes.get(id)] = INVITE.exec(hash) ?? INVITE.exec(invite ?? '') ?? []
  if (code !== undefined) codes.set(id, code)
  return <FairScreen key={id} id={idInAddress(id)} invite={code} talk={drawTalk} />
}
