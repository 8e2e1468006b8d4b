/** The error for a backup or restore that is not possible. The error message is a plain sentence for the operator. */
export class BackupError extends Error {
  override readonly name: string = 'BackupError'
}

/**
 * One file in the destination is damaged, encrypted with another key, or has another version. Other files may be fine.
 */
export class UnreadableError extends BackupError {}

/** Returns null for an unreadable file; made for use with `catch`. Throws any other error. */
export function nullIfUnreadable(error: unknown): null {
  if (error instanceof UnreadableError) return null
  throw error
}
