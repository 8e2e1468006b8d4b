import { z } from 'zod'

export const resetResult = z.object({
  granted: z.string().describe('SOL that the account was topped up by.'),
  balance: z.string().describe('The player’s SOL now.'),
  netWorth: z.string().describe('Balance, cash-out value of the holdings, and the SOL in one’s own open pools.'),
})
export type ResetResult = z.output<typeof resetResult>
