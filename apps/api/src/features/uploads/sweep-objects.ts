import type { AppPart } from '../../context.ts'
import { type ListedObject, type ObjectFolder, parsePictureName, toPictureUrl } from '../../storage/object-store.ts'
import { sweepIncoming } from './incoming-file.ts'
import { deleteOldUploads, findUsedPictures, lockPicture } from './store.ts'

const AGE_MIN_MS = 3_600_000
const PAGE = 500
const PAGES_MAX = 20

type Parts = AppPart<'config' | 'objects' | 'db' | 'clock'>

/**
 * Creates a sweep that deletes unused uploads and pictures older than an hour. Each sweep checks a limited number of
 * objects, and the next sweep continues after them. A sweep returns the number of deleted objects.
 */
export function createObjectSweep(app: Parts): () => Promise<number> {
  const uploads = walk(app, 'uploads/', async (old) => old)
  const pictures = walk(app, 'pictures/', async (old) => await findUnused(app, old))
  return async () => {
    const before = new Date(app.platform.clock.now().getTime() - AGE_MIN_MS)
    await sweepIncoming(app, before)
    for (let page = 0; page < PAGES_MAX; page++)
      if ((await deleteOldUploads(app.platform.db, before, PAGE)) < PAGE) break
    const removed = await uploads((name) => app.platform.objects.remove(name).then(() => true))
    return removed + (await pictures((name) => removeUnused(app, name)))
  }
}

type Choose = (old: string[]) => Promise<string[]>
type Remove = (name: string) => Promise<boolean>

function walk(app: Parts, folder: ObjectFolder, choose: Choose): (remove: Remove) => Promise<number> {
  let after = ''
  return async (remove) => {
    let removed = 0
    for (let page = 0; page < PAGES_MAX; page++) {
      const listed = await app.platform.objects.list(folder, { after, most: PAGE })
      for (const name of await choose(selectOld(app, listed))) if (await remove(name)) removed++
      const last = listed.at(-1)?.name
      after = listed.length < PAGE || last === undefined ? '' : last
      if (after === '') break
    }
    return removed
  }
}

function selectOld({ platform: { clock } }: Parts, listed: readonly ListedObject[]): string[] {
  const before = clock.now().getTime() - AGE_MIN_MS
  return listed.filter(({ modifiedAt }) => modifiedAt.getTime() < before).map(({ name }) => name)
}

/** Finds pictures that nobody uses. Files of the operator are left out. */
async function findUnused({ platform: { db, clock } }: Parts, names: readonly string[]): Promise<string[]> {
  const ours = names.filter((name) => parsePictureName(name.slice('pictures/'.length)) !== null)
  const used = await findUsedPictures(db, ours.map(toPictureUrl), clock.now())
  return ours.filter((name) => !used.has(toPictureUrl(name)))
}

/** Removes an unused picture. A player who is choosing this picture holds the same lock. */
async function removeUnused({ platform: { db, objects, clock } }: Parts, name: string): Promise<boolean> {
  const url = toPictureUrl(name)
  return await db.transaction().execute(async (tx) => {
    await lockPicture(tx, url)
    if ((await findUsedPictures(tx, [url], clock.now())).size > 0) return false
    await objects.remove(name)
    return true
  })
}
