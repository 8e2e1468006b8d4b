/** The name and other texts of a token that a bot launches. */
export interface TokenStory {
  readonly name: string
  /** The ticker, which has at most 10 capital letters and digits. */
  readonly symbol: string
  readonly emoji: string
  readonly description: string
}
