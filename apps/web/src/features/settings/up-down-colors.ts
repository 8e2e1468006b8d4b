import { readStored, store } from '../../lib/ui/stored.ts'

const KEY = 'papermoon-up-down'

/** The colours of rising and falling figures. */
export interface UpDownColors {
  /** `safe` is blue and orange, distinguishable with red-green colour blindness. */
  readonly pair: 'classic' | 'safe'
  /** Whether rising figures take the pair's second colour. */
  readonly isSwapped: boolean
}

/** The stored colours; by default teal up and coral down. */
export function storedUpDownColors(): UpDownColors {
  const words = new Set((readStored(KEY) ?? '').split(' '))
  return { pair: words.has('safe') ? 'safe' : 'classic', isSwapped: words.has('swapped') }
}

/** Applies and stores the colours; color-scheme.js applies them before the first paint of later visits. */
export function chooseUpDownColors({ pair, isSwapped }: UpDownColors): void {
  const words = [...(pair === 'safe' ? ['safe'] : []), ...(isSwapped ? ['swapped'] : [])].join(' ')
  if (words === '') delete document.documentElement.dataset.upDown
  else document.documentElement.dataset.upDown = words
  store(KEY, words)
}
