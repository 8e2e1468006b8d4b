import type { Inputs } from '../../../lib/api/api.ts'

export type Scope = Inputs['keys']['create']['scopes'][number]

export const SCOPES: readonly { readonly id: Scope; readonly title: string; readonly note: string }[] = [
  {
    id: 'market',
    title: 'Market',
    note: 'See public data and your own balance, orders and positions, but not your email.',
  },
  {
    id: 'read',
    title: 'Read',
    note: 'See everything that you can see, including your email, wallet and notifications.',
  },
  { id: 'trade', title: 'Trade', note: 'Trade, launch tokens and pull rugs in your name.' },
  { id: 'talk', title: 'Talk', note: 'Write posts in your name.' },
  { id: 'reset', title: 'Reset', note: 'Reset your account when your net worth is below 10 SOL.' },
]
