import type { Position, Token, TokenId } from '../api/api.ts'

export interface RowSaleProps {
  readonly tokenId: TokenId
  readonly symbol: string
  /**
   * A holding, as a list shows it. A list row needs no other data to sell a token whose page an operator has hidden.
   */
  readonly held: { readonly amount: string; readonly pool: Token['pool']; readonly isListed: boolean }
  /**
   * The form calls this function after each sale with the remaining holding, and with the token, or null if the token
   * has no page.
   */
  readonly onSold: (position: Position, token: Token | null) => void
  readonly onClose: () => void
}
