// @vitest-environment jsdom
import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SoundAndMotion } from '../../src/features/settings/sound-and-motion.tsx'
import { toActions } from '../../src/features/shell/search/palette-entries.ts'
import { readDisabledMotions } from '../../src/lib/ui/motion.ts'
import { storedSound } from '../../src/lib/ui/sound.ts'
import { blockStorage } from '../support/fresh-page.ts'
import { render } from '../support/render.tsx'

beforeEach(async () => {
  localStorage.clear()
  await render(<SoundAndMotion />)
})
afterEach(() => {
  vi.unstubAllGlobals()
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

it('follows what the palette switches, and does not restore an older choice', async () => {
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

it('switches for this visit if storage is blocked', async () => {
  blockStorage('localStorage')
  await act(() => findOption('Play a sound when a rug is pulled').click())
  expect(findOption('Play a sound when a rug is pulled').checked).toBe(true)
  vi.unstubAllGlobals()
  await run('Turn sound off')
  expect(findOption('Play a sound when a rug is pulled').checked).toBe(false)
})
