// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SoundAndMotion } from '../../src/features/settings/sound-and-motion.tsx'
import { readDisabledMotions, storedSound } from '../../src/lib/ui/effects.ts'

// jsdom has none, and the palette's module asks on its first line.
window.matchMedia ??= () => ({ matches: false, addEventListener: () => {} }) as unknown as MediaQueryList
const { toActions } = await import('../../src/features/shell/search/palette-entries.ts')

let root: Root
beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  localStorage.clear()
  const host = document.body.appendChild(document.createElement('div'))
  root = createRoot(host)
  await act(() => root.render(<SoundAndMotion />))
})
afterEach(async () => {
  await act(() => root.unmount())
  vi.unstubAllGlobals()
  document.body.replaceChildren()
  delete document.documentElement.dataset.still
})

/** Runs an action of the search palette. */
const run = (name: string) =>
  act(() =>
    toActions(null, 'dark')
      .find((action) => action.name === name)
      ?.act?.(),
  )
const findOption = (title: string) =>
  [...document.querySelectorAll<HTMLInputElement>('label input')].find((input) =>
    input.closest('label')?.textContent?.includes(title),
  ) as HTMLInputElement

it('follows what the palette switches, and writes no older choice back', async () => {
  await run('Turn motion off')
  expect(findOption('Price flashes').disabled).toBe(true)
  await run('Turn sound on')
  expect(findOption('Play a sound when a rug is pulled').checked).toBe(true)
  await run('Use my device’s motion setting')
  await act(() => findOption('Price flashes').click())
  await run('Turn motion off')
  await run('Use my device’s motion setting')
  await act(() => findOption('Paper stars').click())
  expect([...readDisabledMotions()]).toEqual(['flash', 'stars'])
  expect(storedSound().isOn).toBe(true)
})

it('switches for this visit where storage is blocked', async () => {
  const block = () => {
    throw new DOMException('blocked', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: block, setItem: block })
  await act(() => findOption('Play a sound when a rug is pulled').click())
  expect(findOption('Play a sound when a rug is pulled').checked).toBe(true)
  vi.unstubAllGlobals()
  await run('Turn sound off')
  expect(findOption('Play a sound when a rug is pulled').checked).toBe(false)
})
