import { readStored, store } from '../ui/stored.ts'

const toKey = (id: number) => `papermoon-invite-${id}`

/** The code of a room's link that its host got in this browser, as the server tells it once; undefined: not here. */
export function readInvite(id: number): string | undefined {
  return readStored(toKey(id)) ?? undefined
}

/** Keeps the code until the room has ended; without storage it is in the address alone. */
export function keepInvite(id: number, invite: string): void {
  store(toKey(id), invite)
}

export function forgetInvite(id: number): void {
  store(toKey(id), null)
}
