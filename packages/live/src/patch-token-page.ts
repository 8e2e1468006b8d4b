import type { MarketEvent } from '@papermoon/contract/market-events'
import type { Token, TokenPage } from '@papermoon/contract/tokens'
import { patchToken } from './patch-token.ts'
import { tokenAtLaunch } from './token-at-launch.ts'

/**
 * Returns a page of tokens after events, in order. Unchanged tokens stay the same objects. A missed event does no harm,
 * because the next event contains the new price and pool.
 */
export function patchTokenPage(page: TokenPage, events: readonly MarketEvent[]): TokenPage {
  const places = new Map(page.tokens.map((token, index) => [token.id, index]))
  const tokens = [...page.tokens]
  const launched: Token[] = []
  for (const event of events) {
    const index = places.get(event.tokenId)
    const listed = index === undefined ? undefined : tokens[index]
    if (index !== undefined && listed !== undefined) tokens[index] = patchToken(listed, event).data
    else patchLaunched(launched, event)
  }
  if (launched.length === 0 && tokens.every((token, index) => token === page.tokens[index])) return page
  return { ...page, tokens: [...launched, ...tokens] }
}

/** Updates the launched tokens, which are sorted newest first, as in the list. */
function patchLaunched(launched: Token[], event: MarketEvent): void {
  const index = launched.findIndex((token) => token.id === event.tokenId)
  const listed = launched[index]
  if (listed !== undefined) launched[index] = patchToken(listed, event).data
  else if (event.type === 'token_launched') launched.unshift(tokenAtLaunch(event))
}
