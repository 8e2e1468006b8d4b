import { createHash, randomBytes } from 'node:crypto'
import { ID_MAX, type UserId } from '@papermoon/engine'
import type { ObjectName, UploadKey } from './object-store.ts'

const UPLOAD_KEY = /^([1-9]\d{0,9})-[0-9a-f]{32}$/
const PICTURE_FILE = /^[0-9a-f]{64}\.webp$/
/** With or without origin and query. Not parsed by `URL`, which would resolve `..` and decode the path. */
const UPLOAD_URL = /^(?:https?:\/\/[^/?#\s]+)?\/objects\/uploads\/([^/?#\s]+)(?:\?[^#\s]*)?$/i

/** A random key that starts with the owner's id. */
export function createUploadKey(owner: UserId): UploadKey {
  return `${owner}-${randomBytes(16).toString('hex')}` as UploadKey
}

/** The text as an upload key; null if it is not one. */
export function parseUploadKey(text: string): UploadKey | null {
  const owner = UPLOAD_KEY.exec(text)?.[1]
  return owner !== undefined && Number(owner) <= ID_MAX ? (text as UploadKey) : null
}

/** The upload key in a URL; null if it is not an upload's. */
export function findUploadKey(url: string): UploadKey | null {
  return parseUploadKey(UPLOAD_URL.exec(url)?.[1] ?? '')
}

/** The player who may use an upload. */
export function getOwner(key: UploadKey): UserId {
  return Number(key.slice(0, key.indexOf('-'))) as UserId
}

export function toUploadName(key: UploadKey): ObjectName {
  return `uploads/${key}` as ObjectName
}

/** Named by the hash of its content, so that its URL can be cached forever. */
export function createPictureName(webp: Buffer): ObjectName {
  return `pictures/${createHash('sha256').update(webp).digest('hex')}.webp` as ObjectName
}

/** The object name of a picture's file name; null if it is not one. */
export function parsePictureName(file: string): ObjectName | null {
  return PICTURE_FILE.test(file) ? (`pictures/${file}` as ObjectName) : null
}

/** The path at which the server serves a picture. */
export function toPictureUrl(name: string): string {
  return `/objects/${name}`
}
