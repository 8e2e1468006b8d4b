/** An expected failure of a command; the message is a sentence for the operator. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
}

/** Invalid arguments; the message says what is wrong. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'
}
