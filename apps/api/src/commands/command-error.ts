/** Why a command could not do what it was asked: one plain sentence for the operator. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
}

/** The arguments make no command; the message says what is wrong. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'
}
