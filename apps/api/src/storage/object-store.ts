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

/** A file on this machine, of `DATA_DIR`. */
export interface LocalFile {
  readonly path: string
  readonly bytes: number
}

/** Where pictures and uploads are kept: an S3 bucket, or files. Everything throws `StorageAwayError` while it cannot serve. */
export interface ObjectStore {
  /** Makes what is needed to store anything, where it is missing. */
  prepare(): Promise<void>
  /** Stores a file as it is, without holding it in memory; the file may be gone afterwards. */
  store(name: ObjectName, file: LocalFile): Promise<void>
  /** The bytes of an object, or null when there is none. Throws `FileTooLargeError` beyond `bytesMax`. */
  read(name: ObjectName, bytesMax: number): Promise<Buffer | null>
  write(name: ObjectName, bytes: Buffer, type: string): Promise<void>
  /** Does nothing when there is no such object. */
  remove(name: string): Promise<void>
  /** Objects of a folder in the order of their names. */
  list(folder: ObjectFolder, range: ListRange): Promise<ListedObject[]>
}
