import { QueryObserver } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { cache, client, type TokenId, trpc } from '../api/api.ts'
import { forgetPlayer } from '../api/current-user.ts'
import { isSignedOut } from '../api/failure.ts'
import { queryClient } from '../api/query-client.ts'
import { readStored, store } from '../ui/stored.ts'
import { showFailure } from '../ui/toasts.ts'

const KEY = 'papermoon-stars'
const STARS_MAX = 200
const NONE: readonly TokenId[] = []

const listeners = new Set<() => void>()
let device = readDevice()
let shown: readonly TokenId[] = NONE
let isFollowed = false
let isMerging = false
/** The queue of changes of the account's stars, which run one after another. */
let changes: Promise<unknown> = Promise.resolve()
let pendingChanges = 0

/**
 * Returns the starred tokens, the most recently starred first. The stars belong to the account, or to the device if the
 * visitor is a guest.
 */
export function getStars(): readonly TokenId[] {
  return isFollowed ? shown : currentStars()
}

/** Loads the account's stars, and calls `listener` when they change. Returns a function that stops the calls. */
export function onStars(listener: () => void): () => void {
  follow()
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Adds or removes a star at once, and undoes this if the server rejects it. */
export function toggleStar(id: TokenId): void {
  const isStarred = getStars().includes(id)
  if (!isStarred && getStars().length >= STARS_MAX) {
    showFailure(
      'Could not add the star',
      null,
      `You already have ${STARS_MAX} stars. Remove the star from another token first.`,
    )
    return
  }
  if (cache.auth.me.getData() == null) {
    setDevice(withStar(device, id, !isStarred))
    return
  }
  setAccount((ids) => withStar(ids, id, !isStarred))
  pendingChanges++
  changes = changes.then(() => sendStar(id, !isStarred))
}

async function sendStar(id: TokenId, isStarred: boolean): Promise<void> {
  try {
    const { tokenIds } = await (isStarred ? client.watchlist.add : client.watchlist.remove).mutate({ id })
    pendingChanges--
    // Ignore this response, because it does not include a later change.
    if (pendingChanges === 0) setAccount(() => tokenIds)
  } catch (error) {
    pendingChanges--
    if (isSignedOut(error)) return forgetPlayer()
    setAccount((ids) => withStar(ids, id, !isStarred))
    showFailure(isStarred ? 'Could not add the star' : 'Could not remove the star', error)
  }
}

function withStar(ids: readonly TokenId[], id: TokenId, isStarred: boolean): readonly TokenId[] {
  const others = ids.filter((other) => other !== id)
  return isStarred ? [id, ...others].slice(0, STARS_MAX) : others
}

function follow(): void {
  if (isFollowed) return
  isFollowed = true
  for (const procedure of [trpc.auth.me, trpc.watchlist.get]) {
    const queryKey = getQueryKey(procedure as typeof trpc.auth.me, undefined, 'query')
    new QueryObserver(queryClient, { queryKey, enabled: false }).subscribe(show)
  }
  addEventListener('storage', ({ key }) => {
    if (key !== KEY && key !== null) return
    device = readDevice()
    show()
  })
  show()
}

function show(): void {
  load()
  const stars = currentStars()
  if (stars.length === shown.length && stars.every((id, index) => id === shown[index])) return
  shown = stars
  for (const listener of listeners) listener()
}

/** Loads the account's stars once, and adds this device's stars to the account. */
function load(): void {
  if (isMerging || cache.auth.me.getData() == null || cache.watchlist.get.getData() !== undefined) return
  isMerging = true
  const read = device.length === 0 ? client.watchlist.get.query() : mergeDevice()
  read
    .then(({ tokenIds }) => setAccount(() => tokenIds))
    // After a failure, the next page load tries again.
    .catch((error: unknown) => isSignedOut(error) && forgetPlayer())
}

async function mergeDevice(): Promise<{ tokenIds: TokenId[] }> {
  const merged = await client.watchlist.merge.mutate({ tokenIds: [...device] })
  // Stars that the account did not accept stay on the device. The account does not accept a star if there are too many,
  // or if the token is hidden.
  setDevice(device.filter((id) => !merged.tokenIds.includes(id)))
  return merged
}

function currentStars(): readonly TokenId[] {
  return cache.auth.me.getData() == null ? device : (cache.watchlist.get.getData()?.tokenIds ?? NONE)
}

function setAccount(change: (ids: readonly TokenId[]) => readonly TokenId[]): void {
  const ids = cache.watchlist.get.getData()?.tokenIds ?? NONE
  cache.watchlist.get.setData(undefined, { tokenIds: [...change(ids)] })
}

function setDevice(ids: readonly TokenId[]): void {
  device = ids
  store(KEY, ids.length === 0 ? null : JSON.stringify(ids))
  show()
}

function readDevice(): readonly TokenId[] {
  try {
    const stored: unknown = JSON.parse(readStored(KEY) ?? '[]')
    if (!Array.isArray(stored)) return NONE
    return stored.filter((id): id is TokenId => Number.isInteger(id) && id > 0).slice(0, STARS_MAX)
  } catch {
    return NONE
  }
}
