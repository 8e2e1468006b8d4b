import { launchPool, marketCap, priceText, SUPPLY, solText, spotPrice, tokensText } from '@papermoon/amm'
import { TokenTicket } from '../../components/tokens/token-ticket.tsx'
import type { Draft } from './draft.ts'
import classes from './launch-screen.module.css'

const pool = launchPool()
const price = priceText(spotPrice(pool))

/** The token's card as other players will see it, once name and ticker are filled in. */
export function LaunchPreview({ draft }: { draft: Draft }) {
  const named = draft.name.trim() !== '' && draft.symbol.trim() !== ''
  return (
    <section aria-labelledby="preview-title">
      <h2 id="preview-title" className={classes.sideTitle}>
        Preview
      </h2>
      {named ? (
        <TokenTicket
          emoji={draft.emoji}
          number="Nº new"
          name={draft.name.trim()}
          symbol={draft.symbol.trim()}
          price={price}
          changePercent="0"
          marketCap={solText(marketCap(pool))}
          supply={tokensText(SUPPLY)}
          rugged={false}
        />
      ) : (
        <p className={classes.blank}>Your ticket is printed here once it has a name and a ticker.</p>
      )}
    </section>
  )
}
