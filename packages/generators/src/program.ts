/** Responses that a program in `programs/` got, with the generated client’s types. */
export interface Outcome {
  /** Number of tokens from a buy for 1 SOL, as decimal text. */
  readonly tokensOut: string
  /** The launched token's ticker, which the program reads without a key. */
  readonly symbol: string | undefined
  /** Symbols of all launched tokens, from one list that the program reads without a key. */
  readonly listed: readonly string[]
  /** Sides of all trades of the token, newest first, from pages with one trade each. */
  readonly sides: readonly string[]
  /** Status and error code of a buy whose minimum is more than the number of tokens that the buyer would get. */
  readonly refusal: readonly [status: number, code: string]
  /** Status and error code of a request for a token that does not exist, sent without a key. */
  readonly missing: readonly [status: number, code: string]
}

/** Launches a token, buys it twice, lists it and its trades, and causes two errors. */
export type Program = (url: string, key: string) => Promise<Outcome>

/** Returns the next page's cursor from this page's `Link` header, or undefined on the last page. */
export function findCursor(headers: Headers | undefined): number | undefined {
  const [, cursor] = /[?&]cursor=(\d+)[^>]*>; rel="next"/.exec(headers?.get('link') ?? '') ?? []
  return cursor === undefined ? undefined : Number(cursor)
}
