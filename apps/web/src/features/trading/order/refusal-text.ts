import { formatSol, formatTokens } from '@papermoon/format'
import type { Side } from './preview-trade.ts'

/** Possible numbers of decimals for SOL. The first one for which different amounts look different is used. */
const SOL_DECIMALS = [2, 6, 9]
const FIGURE = /\d+(?:\.\d+)?/g

/**
 * Formats the numbers in the server's sentence about a rejected order like all other numbers. The server's numbers are
 * exact decimals. The number in `you would receive 31999999.25` means tokens in a purchase, but SOL in a sale.
 */
export function formatRefusal(sentence: string, reason: string | null, side: Side): string {
  if (reason === 'INSUFFICIENT_BALANCE') return formatFigures(sentence, formatAllSol)
  if (reason === 'INSUFFICIENT_TOKENS') return formatFigures(sentence, formatAllTokens)
  if (reason === 'SLIPPAGE_EXCEEDED') return formatFigures(sentence, side === 'buy' ? formatAllTokens : formatAllSol)
  return sentence
}

function formatFigures(sentence: string, format: (figures: readonly string[]) => readonly string[]): string {
  const formatted = format(sentence.match(FIGURE) ?? [])
  let index = 0
  return sentence.replace(FIGURE, (figure) => formatted[index++] ?? figure)
}

function formatAllSol(figures: readonly string[]): readonly string[] {
  const attempts = SOL_DECIMALS.map((decimals) => figures.map((figure) => formatSol(figure, decimals)))
  return attempts.find((shown) => areApart(figures, shown)) ?? figures
}

/** Formats token amounts with 2 decimals. If two rounded amounts would look equal, both amounts are exact. */
function formatAllTokens(figures: readonly string[]): readonly string[] {
  const shown = figures.map(formatTokens)
  return areApart(figures, shown) ? shown : figures
}

function areApart(figures: readonly string[], shown: readonly string[]): boolean {
  return new Set(shown).size === new Set(figures).size
}
