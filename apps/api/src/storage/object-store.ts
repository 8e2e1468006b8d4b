/**
 * The name of an object: `uploads/{player}-{random}` or `pictures/{hash}.webp`. Created only in `object-names.ts`, so that
 * no input of a client is used as a path.
 */
export type ObjectName = string & { readonly __brand: 'ObjectName' }
export type ObjectFolder = 'uploads/' | 'pictures/'

/** Names one upload: `{player}-{random}`, 32 hexadecimal digits of randomness. */
export type UploadKey = string & { readonly __brand: 'UploadKey' }

export interface ListedObject {
  /** The full name in the store; not an `ObjectName`, since foreign objects may be there too. */
  readonly name: string
  readonly modifiedAt: Date
}

export interface ListRange {
  /** Only names that sort after this one. */
  readonly after: string
  readonly most: number
}

/** A file in `DATA_DIR`. */
export interface LocalFile {
  readonly path: string
  readonly bytes: number
}

/** Storage of pictures and uploads: an S3 bucket or files. All methods throw `StorageAwayError` while it is unavailable. */
export interface ObjectStore {
  /** Creates the bucket or folders if missing. */
  prepare(): Promise<void>
  /** Stores a file without loading it into memory; may move the file. */
  store(name: ObjectName, file: LocalFile): Promise<void>
  /** The content of an object, or null if there is none. Throws `FileTooLargeError` beyond `bytesMax`. */
  read(name: ObjectName, bytesMax: number): Promise<Buffer | null>
  write(name: ObjectName, bytes: Buffer, type: string): Promise<void>
  /** Does nothing if there is no such object. */
  remove(name: string): Promise<void>
  /** The objects of a folder, sorted by name. */
  list(folder: ObjectFolder, range: ListRange): Promise<ListedObject[]>
}
