import type { Readable } from 'node:stream'

/**
 * The name of an object: `uploads/{player}-{random}` or `pictures/{hash}.webp`. Made by `features/uploads/object-names.ts`
 * only, so nothing that a client sends ever becomes a path by itself.
 */
export type ObjectName = string & { readonly __brand: 'ObjectName' }
export type ObjectFolder = 'uploads/' | 'pictures/'

/** Names one upload: `{player}-{random}`, 32 hexadecimal digits of randomness. */
export type UploadKey = string & { readonly __brand: 'UploadKey' }

export interface ListedObject {
  /** The full name, as the store has it; what does not belong there has none of ours. */
  readonly name: string
  readonly modifiedAt: Date
}

export interface ListRange {
  /** Only names that sort after this one. */
  readonly after: string
  readonly most: number
}

/** How long a pre-signed address is good. */
export interface Validity {
  readonly from: Date
  readonly seconds: number
}

/** Where pictures and uploads are kept: an S3 bucket, or files. Everything throws `StorageAwayError` while it cannot serve. */
export interface ObjectStore {
  /** The origin browsers send uploads to, for the content security policy; null: this server's own. */
  readonly uploadOrigin: string | null
  /** The folders under which an upload URL of this store names its key; '' for none. */
  readonly uploadRoots: readonly string[]
  /** What takes the uploads; null where S3 does it itself. */
  readonly receiver: UploadReceiver | null
  /** An address that takes a PUT of this upload for so long; relative to this server where it is its own. */
  signUpload(key: UploadKey, validity: Validity): Promise<string>
  /** The bytes of an object, or null when there is none. Throws `FileTooLargeError` beyond `bytesMax`. */
  read(name: ObjectName, bytesMax: number): Promise<Buffer | null>
  write(name: ObjectName, bytes: Buffer, type: string): Promise<void>
  /** Does nothing when there is no such object. */
  remove(name: string): Promise<void>
  /** Objects of a folder in the order of their names. */
  list(folder: ObjectFolder, range: ListRange): Promise<ListedObject[]>
}

/** What the query of a pre-signed address says. */
export interface UploadTicket {
  readonly key: UploadKey
  /** Unix time in seconds, as text. */
  readonly expires: string
  readonly signature: string
}

/** Takes uploads where no S3 does. */
export interface UploadReceiver {
  /** Throws `UploadLinkError` when the address is not one of ours any more. */
  assertTicket(ticket: UploadTicket, now: Date): Promise<void>
  /**
   * Stores a body of at most `bytesMax` bytes, once. Throws `UploadExistsError`, `FileTooLargeError`, `BadInputError`
   * (empty, or broken off) and `TooManyUploadsError`.
   */
  receive(key: UploadKey, body: Readable, bytesMax: number): Promise<void>
}
