/** A backup or restore cannot be done; the message is a plain sentence for the operator. */
export class BackupError extends Error {
  override readonly name: string = 'BackupError'
}

/** One file of a place is damaged, encrypted otherwise, or of another version; the others may be fine. */
export class UnreadableError extends BackupError {}

/** For `catch`: an unreadable file counts as none. Other errors are thrown. */
export function nullIfUnreadable(error: unknown): null {
  if (error instanceof UnreadableError) return null
  throw error
}
