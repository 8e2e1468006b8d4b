/** Responses that a program in `programs/` got, with the generated client’s types. */
export interface Outcome {
  /** Number of tokens from a buy for 1 SOL, as decimal text. */
  readonly tokensOut: string
  /** The launched token's ticker, read without a key. */
  readonly symbol: string | undefined
  /** All launched tokens' symbols, read in one list without a key. */
  readonly listed: readonly string[]
  /** Sides of all the token's trades, newest first, read in pages of one trade. */
  readonly sides: readonly string[]
  /** Status and error code of a buy whose minimum is more than it would get. */
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
