import { readStored, store } from '../../lib/ui/stored.ts'

const KEY = 'papermoon-up-down'

export interface UpDownColors {
  /** `safe` is blue and orange, which colour-blind players can distinguish. */
  readonly pair: 'classic' | 'safe'
  /** Whether rising values use the pair's second colour. */
  readonly isSwapped: boolean
}

/** Returns the stored colours. The default is teal for rising and coral for falling values. */
export function storedUpDownColors(): UpDownColors {
  const words = new Set((readStored(KEY) ?? '').split(' '))
  return { pair: words.has('safe') ? 'safe' : 'classic', isSwapped: words.has('swapped') }
}

/** Applies and stores the colours. At the next visits, color-scheme.js applies them before the first paint. */
export function chooseUpDownColors({ pair, isSwapped }: UpDownColors): void {
  const words = [...(pair === 'safe' ? ['safe'] : []), ...(isSwapped ? ['swapped'] : [])].join(' ')
  if (words === '') delete document.documentElement.dataset.upDown
  else document.documentElement.dataset.upDown = words
  store(KEY, words)
}
