import type { Position, Token, TokenId } from '../api/api.ts'

export interface RowSaleProps {
  readonly tokenId: TokenId
  readonly symbol: string
  /** A holding, as a list shows it. This data is enough to sell a token whose page an operator has hidden. */
  readonly held: { readonly amount: string; readonly pool: Token['pool']; readonly isListed: boolean }
  /** Called after each sale with the remaining holding. Also gets the token if it has a page, otherwise null. */
  readonly onSold: (position: Position, token: Token | null) => void
  readonly onClose: () => void
}
