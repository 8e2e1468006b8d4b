import { readStored, store } from '../../lib/ui/stored.ts'

const KEY = 'papermoon-up-down'

/** The colours for rising and falling values. */
export interface UpDownColors {
  /** `safe` is blue and orange, which remain distinguishable with red-green colour blindness. */
  readonly pair: 'classic' | 'safe'
  /** Whether rising values use the pair's second colour. */
  readonly isSwapped: boolean
}

/** Returns the stored colours. The default is teal for up and coral for down. */
export function storedUpDownColors(): UpDownColors {
  const words = new Set((readStored(KEY) ?? '').split(' '))
  return { pair: words.has('safe') ? 'safe' : 'classic', isSwapped: words.has('swapped') }
}

/** Applies and stores the colours. On later visits, color-scheme.js applies them before the first paint. */
export function chooseUpDownColors({ pair, isSwapped }: UpDownColors): void {
  const words = [...(pair === 'safe' ? ['safe'] : []), ...(isSwapped ? ['swapped'] : [])].join(' ')
  if (words === '') delete document.documentElement.dataset.upDown
  else document.documentElement.dataset.upDown = words
  store(KEY, words)
}
