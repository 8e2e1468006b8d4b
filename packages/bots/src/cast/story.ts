/** The texts of a token that a bot launches. */
export interface TokenStory {
  readonly name: string
  /** At most 10 capitals and digits. */
  readonly symbol: string
  readonly emoji: string
  readonly description: string
}
