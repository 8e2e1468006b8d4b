import { readStored, store } from '../ui/stored.ts'

const toKey = (id: number) => `papermoon-invite-${id}`

/**
 * Returns the code of a room's link from this browser, because the server shows it only once. Returns undefined if this
 * browser has no code.
 */
export function readInvite(id: number): string | undefined {
  return readStored(toKey(id)) ?? undefined
}

/** Stores the code until the room ends. If storage is blocked, only the URL contains the code. */
export function storeInvite(id: number, invite: string): void {
  store(toKey(id), invite)
}

export function forgetInvite(id: number): void {
  store(toKey(id), null)
}
