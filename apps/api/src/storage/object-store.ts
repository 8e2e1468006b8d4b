import { createHash, randomBytes } from 'node:crypto'
import { DomainError, ID_MAX, type UserId } from '@papermoon/engine'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { ApiError, defineError } from '../errors.ts'

const UPLOAD_KEY = /^([1-9]\d{0,9})-[0-9a-f]{32}$/

const PICTURE_FILE = /^[0-9a-f]{64}\.webp$/

/**
 * Matches an upload's URL, with or without origin and query. The class `URL` would be unsuitable, because it resolves
 * `..` and decodes the path.
 */
const UPLOAD_URL = /^(?:https?:\/\/[^/?#\s]+)?\/objects\/uploads\/([^/?#\s]+)(?:\?[^#\s]*)?$/i

/** Counts the storage failures of this process. Each server adds this counter to its metrics. */
export const storageFailures = new Counter({
  name: 'papermoon_storage_failures_total',
  help: 'Operations on pictures and uploads that the folder or S3 failed.',
  registers: [],
})

/** The file exceeds the limit of bytes or pixels. */
export class FileTooLargeError extends ApiError {
  readonly code = 'PAYLOAD_TOO_LARGE'
  constructor(sentence = 'The picture is too large. Please choose one of at most 5 MB.') {
    super(sentence)
  }
}

/** The object store is unreachable or refuses access. */
export class StorageAwayError extends defineError(
  'STORAGE_AWAY',
  'Could not store or read the picture. Please try again in a moment.',
  { retryAfterS: 5 },
) {}

/**
 * An object's name: `uploads/{player}-{random}` or `pictures/{hash}.webp`. Only this file creates object names, so that
 * no client can choose a path.
 */
export type ObjectName = string & { readonly __brand: 'ObjectName' }

export type ObjectFolder = 'uploads/' | 'pictures/'

/** Name of an upload: `{player}-{random}`, with 32 random hexadecimal digits. */
export type UploadKey = string & { readonly __brand: 'UploadKey' }

export interface ListedObject {
  /** The full name of the object in the store. */
  readonly name: string
  readonly modifiedAt: Date
}

export interface ListRange {
  /** The name after which the list begins. */
  readonly after: string
  readonly most: number
}

/** A file in `DATA_DIR`. */
export interface LocalFile {
  readonly path: string
  readonly bytes: number
}

/**
 * Stores pictures and uploads in an S3 bucket or in files. All methods throw `StorageAwayError` while the storage is
 * unavailable.
 */
export interface ObjectStore {
  /** Creates the bucket or folders that are missing. */
  prepare(): Promise<void>
  /** Stores a file without loading it into memory. The store may move the file instead of copying it. */
  store(name: ObjectName, file: LocalFile): Promise<void>
  /**
   * Returns the content of an object, or null if there is no such object. Throws `FileTooLargeError` if the object is
   * larger than `bytesMax`.
   */
  read(name: ObjectName, bytesMax: number): Promise<Buffer | null>
  write(name: ObjectName, bytes: Buffer, type: string): Promise<void>
  /** Removes a stored object. If the object does not exist, nothing happens. */
  remove(name: string): Promise<void>
  /** Lists the objects in a folder, sorted by name. */
  list(folder: ObjectFolder, range: ListRange): Promise<ListedObject[]>
}

/** Returns an error of the domain unchanged. Any other error is logged and converted to `StorageAwayError`. */
export function toStorageError(error: unknown, log: Logger): DomainError {
  if (error instanceof DomainError) return error
  storageFailures.inc()
  log.warn({ err: error }, 'an operation of the object store failed')
  return new StorageAwayError()
}

/** Creates a random upload key that begins with the owner's id. */
export function createUploadKey(owner: UserId): UploadKey {
  return `${owner}-${randomBytes(16).toString('hex')}` as UploadKey
}

/** Parses an upload key; returns null if the text is no upload key. */
export function parseUploadKey(text: string): UploadKey | null {
  const owner = UPLOAD_KEY.exec(text)?.[1]
  return owner !== undefined && Number(owner) <= ID_MAX ? (text as UploadKey) : null
}

/** Finds the upload key in a URL; returns null if the URL does not belong to an upload. */
export function findUploadKey(url: string): UploadKey | null {
  return parseUploadKey(UPLOAD_URL.exec(url)?.[1] ?? '')
}

/** Returns the player to whom an upload belongs. */
export function getOwner(key: UploadKey): UserId {
  return Number(key.slice(0, key.indexOf('-'))) as UserId
}

export function toUploadName(key: UploadKey): ObjectName {
  return `uploads/${key}` as ObjectName
}

/** Creates a picture's name from the hash of its content, so that its URL can be cached for ever. */
export function createPictureName(webp: Buffer): ObjectName {
  return `pictures/${createHash('sha256').update(webp).digest('hex')}.webp` as ObjectName
}

/** Converts a picture's file name to its object name. Returns null if the text is not a picture's file name. */
export function parsePictureName(file: string): ObjectName | null {
  return PICTURE_FILE.test(file) ? (`pictures/${file}` as ObjectName) : null
}

/** Returns the path at which the server serves a picture. */
export function toPictureUrl(name: string): string {
  return `/objects/${name}`
}
