/** A backup or restore cannot be done; the message is a plain sentence for the operator. */
export class BackupError extends Error {
  override readonly name: string = 'BackupError'
}
