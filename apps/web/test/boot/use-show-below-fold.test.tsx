// @vitest-environment jsdom
import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { render } from '../support/render.tsx'

beforeEach(() => {
  vi.resetModules()
  // Replace jsdom's frames, because an earlier test file may have left them on its fake clock.
  vi.stubGlobal('requestAnimationFrame', (act: () => void) => setTimeout(act))
  vi.stubGlobal('cancelAnimationFrame', clearTimeout)
})

afterEach(() => void vi.unstubAllGlobals())

/** Returns what the hook returned in each render of a page's first screen, and of its second. */
async function open(isNarrow: boolean, navigation: string): Promise<{ first: boolean[]; second: boolean[] }> {
  vi.stubGlobal('matchMedia', () => ({ matches: isNarrow }))
  vi.stubGlobal('performance', { now: () => 0, getEntriesByType: () => [{ type: navigation }] })
  const { useShowBelowFold } = await import('../../src/lib/boot/use-show-below-fold.ts')
  const seen = { first: [] as boolean[], second: [] as boolean[] }
  function Screen({ name }: { name: keyof typeof seen }) {
    seen[name].push(useShowBelowFold())
    return null
  }
  const { show } = await render(<Screen key="first" name="first" />)
  await act(async () => {
    await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  })
  await show(<Screen key="second" name="second" />)
  return seen
}

it('a phone draws the app’s first screen first and the rest after it, and later screens at once', async () => {
  expect(await open(true, 'navigate')).toEqual({ first: [false, true], second: [true] })
})

it('a wide screen draws all at once', async () => {
  expect(await open(false, 'navigate')).toEqual({ first: [true], second: [true] })
})

it.each(['reload', 'back_forward'])('a phone draws all at once on %s, for the scroll position', async (navigation) => {
  expect(await open(true, navigation)).toEqual({ first: [true], second: [true] })
})
