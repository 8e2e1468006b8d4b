const toKey = (id: number) => `papermoon-invite-${id}`

/** The code of a room's link that its host got in this browser, as the server tells it once; undefined: not here. */
export function readInvite(id: number): string | undefined {
  try {
    return localStorage.getItem(toKey(id)) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps the code until the room has ended; without storage it is in the address alone. */
export function keepInvite(id: number, invite: string): void {
  try {
    localStorage.setItem(toKey(id), invite)
  } catch {}
}

export function forgetInvite(id: number): void {
  try {
    localStorage.removeItem(toKey(id))
  } catch {}
}
