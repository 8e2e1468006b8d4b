// @vitest-environment jsdom
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { mayMove, readDisabledMotions, setDisabledMotions } from '../../src/lib/ui/motion.ts'
import { chooseSound, playRug, storedSound } from '../../src/lib/ui/sound.ts'

const beforePaint = readFileSync(join(import.meta.dirname, '../../public/color-scheme.js'), 'utf8')
const root = document.documentElement
let isReduced = false

/** Runs the script that the next page runs before its first paint. */
function loadPage(): void {
  delete root.dataset.still
  // biome-ignore lint/security/noGlobalEval: the script as the page's head runs it.
  globalThis.eval(beforePaint)
}

beforeEach(() => {
  localStorage.clear()
  delete root.dataset.still
  isReduced = false
  window.matchMedia = (query) => ({ matches: query.includes('reduced-motion') && isReduced }) as MediaQueryList
})

describe('motion', () => {
  it('plays if nothing is switched off', () => {
    loadPage()
    expect(mayMove('stars')).toBe(true)
    expect(root.dataset.still).toBeUndefined()
  })

  it('does not play if the device asks for reduced motion, whatever the player chose', () => {
    isReduced = true
    setDisabledMotions(new Set())
    expect(mayMove('shake')).toBe(false)
  })

  it('can be switched off one by one, also for the next visit', () => {
    setDisabledMotions(new Set(['tape', 'stars']))
    loadPage()
    expect(mayMove('tape')).toBe(false)
    expect(mayMove('stars')).toBe(false)
    expect(mayMove('flash')).toBe(true)
  })

  it('can be switched off as a whole without forgetting the single switches', () => {
    setDisabledMotions(new Set(['tape', 'all']))
    loadPage()
    expect(mayMove('flash')).toBe(false)
    const disabled = new Set(readDisabledMotions())
    disabled.delete('all')
    setDisabledMotions(disabled)
    expect(mayMove('flash')).toBe(true)
    expect(mayMove('tape')).toBe(false)
  })
})

describe('the switches that style sheets read', () => {
  it.each([
    ['tape', 'features/home/hero/market-tape.module.css'],
    ['stagger', 'styles/base.css'],
  ] as const)('%s stops what moves in %s', (motion, file) => {
    const styles = readFileSync(join(import.meta.dirname, '../../src', file), 'utf8')
    expect(styles).toMatch(
      new RegExp(`:root\\[data-still~="${motion}"\\]\\)? \\.[\\w-]+ \\{\\s+(animation|transition): none;`),
    )
  })
})

describe('sound', () => {
  const contexts = vi.fn()
  beforeEach(() => {
    contexts.mockReset()
    vi.stubGlobal(
      'AudioContext',
      class {
        constructor() {
          contexts()
          throw new Error('made')
        }
      },
    )
  })
  afterEach(() => vi.unstubAllGlobals())
  const touch = (hasBeenActive: boolean) =>
    Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive }, configurable: true })

  it('is off, and at a middle volume, if nothing or an invalid value is stored', () => {
    expect(storedSound()).toEqual({ isOn: false, volume: 60 })
    localStorage.setItem('papermoon-sound', 'on 9000')
    expect(storedSound()).toEqual({ isOn: true, volume: 60 })
  })

  it('stores the switch and the volume', () => {
    chooseSound({ isOn: true, volume: 25 })
    expect(storedSound()).toEqual({ isOn: true, volume: 25 })
    chooseSound({ isOn: false, volume: 25 })
    expect(storedSound()).toEqual({ isOn: false, volume: 25 })
  })

  it('is never played while it is off or before the first click or key', () => {
    touch(true)
    playRug()
    touch(false)
    chooseSound({ isOn: true, volume: 50 })
    playRug()
    expect(contexts).not.toHaveBeenCalled()
    touch(true)
    expect(playRug).toThrow('made')
  })
})
