import type { Inputs } from '../../../lib/api/api.ts'

export type Scope = Inputs['keys']['create']['scopes'][number]

/** The scopes with their labels. */
export const SCOPES: readonly { readonly id: Scope; readonly title: string; readonly note: string }[] = [
  {
    id: 'market',
    title: 'Market',
    note: 'See what everybody sees, and your own balance, orders and positions; not your e-mail.',
  },
  { id: 'read', title: 'Read', note: 'See all that you see, e-mail, wallet and notices too.' },
  { id: 'trade', title: 'Trade', note: 'Buy, sell, launch and pull rugs in your name.' },
  { id: 'talk', title: 'Talk', note: 'Write posts in your name.' },
  { id: 'reset', title: 'Reset', note: 'Reset your account when you are nearly broke.' },
]
