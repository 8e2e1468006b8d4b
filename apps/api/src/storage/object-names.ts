import { createHash, randomBytes } from 'node:crypto'
import { ID_MAX, type UserId } from '@papermoon/engine'
import type { ObjectName, UploadKey } from './object-store.ts'

const UPLOAD_KEY = /^([1-9]\d{0,9})-[0-9a-f]{32}$/
const PICTURE_FILE = /^[0-9a-f]{64}\.webp$/
/**
 * Matches an upload's URL, with or without origin and query. Does not use `URL`, which would resolve `..` and decode
 * the path.
 */
const UPLOAD_URL = /^(?:https?:\/\/[^/?#\s]+)?\/objects\/uploads\/([^/?#\s]+)(?:\?[^#\s]*)?$/i

/** Creates a random key that starts with the owner's id. */
export function createUploadKey(owner: UserId): UploadKey {
  return `${owner}-${randomBytes(16).toString('hex')}` as UploadKey
}

/** Parses an upload key; returns null if the text is not one. */
export function parseUploadKey(text: string): UploadKey | null {
  const owner = UPLOAD_KEY.exec(text)?.[1]
  return owner !== undefined && Number(owner) <= ID_MAX ? (text as UploadKey) : null
}

/** Finds the upload key in a URL; returns null if the URL is not an upload's. */
export function findUploadKey(url: string): UploadKey | null {
  return parseUploadKey(UPLOAD_URL.exec(url)?.[1] ?? '')
}

/** Returns the player who may use an upload. */
export function getOwner(key: UploadKey): UserId {
  return Number(key.slice(0, key.indexOf('-'))) as UserId
}

export function toUploadName(key: UploadKey): ObjectName {
  return `uploads/${key}` as ObjectName
}

/** Creates a picture's name from the hash of its content, so that its URL can be cached forever. */
export function createPictureName(webp: Buffer): ObjectName {
  return `pictures/${createHash('sha256').update(webp).digest('hex')}.webp` as ObjectName
}

/** Converts a picture's file name to its object name; returns null if the text is not one. */
export function parsePictureName(file: string): ObjectName | null {
  return PICTURE_FILE.test(file) ? (`pictures/${file}` as ObjectName) : null
}

/** Returns the path at which the server serves a picture. */
export function toPictureUrl(name: string): string {
  return `/objects/${name}`
}
