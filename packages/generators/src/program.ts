/** Answers that a program of `programs/` got, as the generated client’s types have them. */
export interface Outcome {
  /** Tokens that a buy of 1 SOL brought, as a decimal. */
  readonly tokensOut: string
  /** Ticker of the launched token, read without a key. */
  readonly symbol: string | undefined
  /** Symbols of all launched tokens, read in one list without a key. */
  readonly listed: readonly string[]
  /** Sides of all trades of the token, newest first, read in pages of one. */
  readonly sides: readonly string[]
  /** Status and code of a buy that demands more tokens than it would get. */
  readonly refusal: readonly [status: number, code: string]
  /** Status and code of a read of a token that does not exist, without a key. */
  readonly missing: readonly [status: number, code: string]
}

/** Launches a token, buys of it twice, lists it and its trades, and reads two errors. */
export type Program = (url: string, key: string) => Promise<Outcome>

/** The cursor of the next page by the `Link` header of this one; undefined on the last page. */
export function findCursor(headers: Headers | undefined): number | undefined {
  const [, cursor] = /[?&]cursor=(\d+)[^>]*>; rel="next"/.exec(headers?.get('link') ?? '') ?? []
  return cursor === undefined ? undefined : Number(cursor)
}
