const KEY = 'papermoon-up-down'

/** Which colours rising and falling figures have. */
export interface UpDownColors {
  /** `safe`: blue and orange, which eyes that see little red or green tell apart. */
  readonly pair: 'classic' | 'safe'
  /** Rising figures take the second colour of the pair. */
  readonly isSwapped: boolean
}

/** The colours that were chosen before; teal up and coral down where none were. */
export function storedUpDownColors(): UpDownColors {
  const words = new Set(read().split(' '))
  return { pair: words.has('safe') ? 'safe' : 'classic', isSwapped: words.has('swapped') }
}

/** Shows the page in these colours, and keeps them for the next visit: color-scheme.js puts them on before the paint. */
export function chooseUpDownColors({ pair, isSwapped }: UpDownColors): void {
  const words = [...(pair === 'safe' ? ['safe'] : []), ...(isSwapped ? ['swapped'] : [])].join(' ')
  if (words === '') delete document.documentElement.dataset.upDown
  else document.documentElement.dataset.upDown = words
  try {
    localStorage.setItem(KEY, words)
  } catch {
    // Storage is blocked: the colours hold for this visit.
  }
}

function read(): string {
  try {
    return localStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}
