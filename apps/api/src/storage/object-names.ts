import { createHash, randomBytes } from 'node:crypto'
import { ID_MAX, type UserId } from '@papermoon/engine'
import type { ObjectName, UploadKey } from './object-store.ts'

const UPLOAD_KEY = /^([1-9]\d{0,9})-[0-9a-f]{32}$/
const PICTURE_FILE = /^[0-9a-f]{64}\.webp$/
/** An address with or without origin and query, cut by hand: a URL parser would resolve `../features` and decode. */
const UPLOAD_URL = /^(?:https?:\/\/[^/?#\s]+)?\/objects\/uploads\/([^/?#\s]+)(?:\?[^#\s]*)?$/i

/** A key nobody can guess, which says whose upload it is. */
export function createUploadKey(owner: UserId): UploadKey {
  return `${owner}-${randomBytes(16).toString('hex')}` as UploadKey
}

/** The key that a text is; null when it is none. */
export function parseUploadKey(text: string): UploadKey | null {
  const owner = UPLOAD_KEY.exec(text)?.[1]
  return owner !== undefined && Number(owner) <= ID_MAX ? (text as UploadKey) : null
}

/** The key in an upload's address; null when there is none. */
export function findUploadKey(url: string): UploadKey | null {
  return parseUploadKey(UPLOAD_URL.exec(url)?.[1] ?? '')
}

/** Who may use an upload. */
export function getOwner(key: UploadKey): UserId {
  return Number(key.slice(0, key.indexOf('-'))) as UserId
}

export function toUploadName(key: UploadKey): ObjectName {
  return `uploads/${key}` as ObjectName
}

/** A picture is named after its content, so its address can be cached for ever. */
export function createPictureName(webp: Buffer): ObjectName {
  return `pictures/${createHash('sha256').update(webp).digest('hex')}.webp` as ObjectName
}

/** The object behind a picture's file name; null when it is no such name. */
export function parsePictureName(file: string): ObjectName | null {
  return PICTURE_FILE.test(file) ? (`pictures/${file}` as ObjectName) : null
}

/** The address at which the server serves a picture. */
export function toPictureUrl(name: string): string {
  return `/objects/${name}`
}
