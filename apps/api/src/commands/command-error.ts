/** An expected failure of a command. The message is a sentence for the operator. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
}

/** Invalid arguments. The message says what is wrong. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'
}
