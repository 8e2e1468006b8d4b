import { parseSol, type Sol } from '@papermoon/amm'
import { decimalForms, parseAmount, toDecimalText } from './amounts.ts'

/** Blank or zero. */
const NOTHING = /^\s*(?:0+\.?0*|\.0+)?\s*$/
const TEXT_MAX = 40

/** A creator's first buy in SOL; undefined where it is left out, blank or zero. */
export const initialBuyAmount = decimalForms
  .optional()
  .transform((sent = '', check): Sol | undefined => {
    const text = toDecimalText(sent)
    // `-0` becomes the text "-0", which NOTHING does not match.
    if (sent === 0 || (text.length <= TEXT_MAX && NOTHING.test(text))) return undefined
    return parseAmount(sent, parseSol, check)
  })
  .describe('SOL of the creator’s first buy, best in text; 0 or blank means none.')
