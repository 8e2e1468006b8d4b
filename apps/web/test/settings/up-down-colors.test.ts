// @vitest-environment jsdom
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { chooseUpDownColors, storedUpDownColors } from '../../src/features/settings/up-down-colors.ts'

const WEB_ROOT = join(import.meta.dirname, '../..')
const beforePaint = readFileSync(join(WEB_ROOT, 'public/color-scheme.js'), 'utf8')
const root = document.documentElement

/** Runs the script that the next page runs before its first paint. */
function loadPage(): void {
  delete root.dataset.upDown
  // biome-ignore lint/security/noGlobalEval: the script as the page's head runs it.
  globalThis.eval(beforePaint)
}

beforeEach(() => {
  localStorage.clear()
  delete root.dataset.upDown
  window.matchMedia = (query) => ({ matches: query.includes('light') }) as MediaQueryList
})

describe('the colours of up and down', () => {
  it('are teal and coral if nothing was chosen', () => {
    loadPage()
    expect(storedUpDownColors()).toEqual({ pair: 'classic', isSwapped: false })
    expect(root.dataset.upDown).toBeUndefined()
  })

  it.each([
    { pair: 'classic', isSwapped: true },
    { pair: 'safe', isSwapped: false },
    { pair: 'safe', isSwapped: true },
  ] as const)('are kept for the next visit and on before its first paint: %o', (colors) => {
    chooseUpDownColors(colors)
    const chosen = root.dataset.upDown
    expect(chosen).not.toBeUndefined()
    loadPage()
    expect(root.dataset.upDown).toBe(chosen)
    expect(storedUpDownColors()).toEqual(colors)
  })

  it('can be reset', () => {
    chooseUpDownColors({ pair: 'safe', isSwapped: true })
    chooseUpDownColors({ pair: 'classic', isSwapped: false })
    expect(root.dataset.upDown).toBeUndefined()
    loadPage()
    expect(root.dataset.upDown).toBeUndefined()
  })

  it('are in the style sheet for every choice', () => {
    const styles = readFileSync(join(WEB_ROOT, 'src/styles/tokens.css'), 'utf8')
    for (const pair of ['classic', 'safe'] as const) {
      for (const isSwapped of [true, false]) {
        chooseUpDownColors({ pair, isSwapped })
        const { upDown } = root.dataset
        if (upDown !== undefined) expect(styles).toContain(`:root[data-up-down="${upDown}"] {\n  --pm-up: `)
      }
    }
  })

  it('do not override the colour scheme of the device', () => {
    localStorage.setItem('mantine-color-scheme-value', 'auto')
    loadPage()
    expect(root.dataset.mantineColorScheme).toBe('light')
  })
})
