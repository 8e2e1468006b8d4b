import type { Db } from '@papermoon/db'
import { sql } from 'kysely'
import type { ObjectName, ObjectStore } from '../../storage/object-store.ts'
import { createPictureName, parsePictureName } from '../../storage/object-store.ts'
import { nullIfUnreadable } from './backup-error.ts'
import type { Vault } from './vault.ts'

const FOLDER = 'pictures'
const PAGE = 1_000
const PICTURE_BYTES_MAX = 10 * 1_048_576
const PREFIX = '/objects/'

interface KeptPictures {
  /** The name of the picture folder in the manifest. */
  readonly folder: string
  readonly used: ReadonlySet<ObjectName>
}

/**
 * Copies the pictures that the destination does not have yet. Pictures never change, because their hash is their name,
 * so all backups with the same key share them. `known` contains the names in the destination, and this function adds
 * new names to it.
 */
export async function copyPictures(vault: Vault, objects: ObjectStore, known: Set<string>): Promise<void> {
  for (let after = ''; ; ) {
    const listed = await objects.list(`${FOLDER}/`, { after, most: PAGE })
    for (const { name } of listed) {
      const picture = parsePictureName(name.slice(FOLDER.length + 1))
      if (picture === null || known.has(picture)) continue
      const bytes = await objects.read(picture, PICTURE_BYTES_MAX)
      // Skip a picture that was deleted after it was listed.
      if (bytes === null) continue
      await vault.write(toStoredName(vault.picturesFolder, picture), bytes)
      known.add(picture)
    }
    const last = listed.at(-1)
    if (last === undefined || listed.length < PAGE) return
    after = last.name
  }
}

/** Lists the names of the pictures in the destination that the first key can decrypt. */
export async function listStoredPictures(vault: Vault): Promise<Set<string>> {
  return new Set((await vault.list(vault.picturesFolder)).map((name) => `${FOLDER}/${name}`))
}

/** Returns a picture's name in a folder of the destination. */
export function toStoredName(folder: string, picture: string): string {
  return `${folder}${picture.slice(FOLDER.length)}`
}

/** Lists the pictures that players use now. */
export async function listUsedPictures(db: Db): Promise<Set<ObjectName>> {
  const { rows } = await sql<{ url: string }>`
    select distinct profile_picture_url as url from users
     where starts_with(profile_picture_url, ${`${PREFIX}${FOLDER}/`})`.execute(db)
  return new Set(rows.flatMap(({ url }) => parsePictureName(url.slice(PREFIX.length + FOLDER.length + 1)) ?? []))
}

/**
 * Copies the pictures that a restored database refers to into `objects`. Returns the number of pictures that are
 * missing in the destination.
 */
export async function restorePictures(
  vault: Vault,
  objects: ObjectStore,
  { folder, used }: KeptPictures,
): Promise<number> {
  let missing = 0
  for (const picture of used) {
    const bytes = await vault.find(toStoredName(folder, picture)).catch(nullIfUnreadable)
    // Compare the content's hash, because it must equal the picture's name.
    if (bytes === null || createPictureName(bytes) !== picture) missing++
    else await objects.write(picture, bytes, 'image/webp')
  }
  return missing
}
