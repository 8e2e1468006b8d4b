import { formatSol, formatTokens, type PlainAnswer } from './plain-market.ts'

const refusal = (status: number, sentence: string): PlainAnswer => ({ ok: false, status, sentence })

// The product's sentences; amounts in lamports and micros.

export const notPositive = refusal(400, 'The amount must be greater than zero.')
export const notTheCreator = refusal(403, 'Only a token’s creator can rug it.')
export const unknownToken = refusal(404, 'Token not found.')
export const closed = refusal(409, 'This token was rugged and can no longer be traded.')
export const nothingPaid = refusal(422, 'The amount is too small to trade: nothing would be paid out.')
export const keyReused = refusal(422, 'This idempotency key was already used for another order.')

export const noBalance = (balance: bigint, needed: bigint) =>
  refusal(
    422,
    `Insufficient balance: you have ${formatSol(balance)} SOL, but this order needs ${formatSol(needed)} SOL.`,
  )
export const noTokens = (held: bigint) => refusal(422, `Insufficient tokens: you hold only ${formatTokens(held)}.`)
export const slippage = (offered: string, least: string) =>
  refusal(422, `The price has moved: you would receive ${offered}, less than your minimum of ${least}.`)
export const tooRich = (worth: bigint) =>
  refusal(
    422,
    `Your net worth is ${formatSol(worth)} SOL. You can reset your account when your net worth is below 10 SOL.`,
  )
export const resetTooSoon = (hours: number) =>
  refusal(429, `You can reset your account once a day. Please come back in ${hours} hours.`)
