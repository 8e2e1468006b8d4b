/** Answers that a program of `programs/` got, as the generated client’s types have them. */
export interface Outcome {
  /** Tokens that a buy of 1 SOL brought, as a decimal. */
  readonly tokensOut: string
  /** Ticker of the launched token, read without a key. */
  readonly symbol: string | undefined
  /** Status and code of a buy that demands more tokens than it would get. */
  readonly refusal: readonly [status: number, code: string]
  /** Status and code of a read of a token that does not exist, without a key. */
  readonly missing: readonly [status: number, code: string]
}

/** Launches a token, buys of it and reads two errors. */
export type Program = (url: string, key: string) => Promise<Outcome>
