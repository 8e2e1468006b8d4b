import { AmountError, Decimal, parseSol, type Sol } from '@papermoon/amm'
import { z } from 'zod'

/** Blank, or a plain zero. */
const NOTHING = /^\s*(?:0+\.?0*|\.0+)?\s*$/
const TEXT_MAX = 40

/** A creator's first buy in SOL, as text or number; undefined when it is left out, blank or zero. */
export const initialBuyAmount = z
  .union([z.string(), z.number()], 'must be a number')
  .optional()
  .transform((value, check): Sol | undefined => {
    // A number is written without an exponent; the amount itself is read from text only.
    const written = typeof value === 'number' ? new Decimal(value).toFixed() : (value ?? '')
    if (value === 0 || (written.length <= TEXT_MAX && NOTHING.test(written))) return undefined
    try {
      return parseSol(written)
    } catch (error) {
      if (!(error instanceof AmountError)) throw error
      check.issues.push({ code: 'custom', message: error.message, input: value })
      return z.NEVER
    }
  })
  .describe('SOL of the creator’s first buy, better as text than as a number; 0 or blank means none.')
