import { useLocation, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { idInAddress } from '../../lib/format/id-in-address.ts'
import { FairScreen } from './fair-screen.tsx'
import { FairsScreen } from './fairs-screen.tsx'

const INVITE = /^(?:invite=)?([\w-]{22})$/

/** Shows all fairs, or one fair. */
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
  return <FairScreen key={id} id={idInAddress(id)} invite={code} />
}
