/**
 * An object's name: `uploads/{player}-{random}` or `pictures/{hash}.webp`. Created only in `object-names.ts`, so that
 * no client's input is used as a path.
 */
export type ObjectName = string & { readonly __brand: 'ObjectName' }
export type ObjectFolder = 'uploads/' | 'pictures/'

/** Names one upload: `{player}-{random}`, with 32 random hexadecimal digits. */
export type UploadKey = string & { readonly __brand: 'UploadKey' }

export interface ListedObject {
  /** The full name in the store. Not an `ObjectName`, because other programs' objects may be in the store, too. */
  readonly name: string
  readonly modifiedAt: Date
}

export interface ListRange {
  /** List only names that sort after this one. */
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
  /** Creates the bucket or folders if they are missing. */
  prepare(): Promise<void>
  /** Stores a file without loading it into memory. May move the file. */
  store(name: ObjectName, file: LocalFile): Promise<void>
  /** Returns an object's content, or null if there is no such object. Throws `FileTooLargeError` beyond `bytesMax`. */
  read(name: ObjectName, bytesMax: number): Promise<Buffer | null>
  write(name: ObjectName, bytes: Buffer, type: string): Promise<void>
  /** Removes an object. Does nothing if there is no such object. */
  remove(name: string): Promise<void>
  /** Lists a folder's objects, sorted by name. */
  list(folder: ObjectFolder, range: ListRange): Promise<ListedObject[]>
}
