// @vitest-environment jsdom
import { StrictMode, useRef } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { switchSingleKeys, useHotkey } from '../../src/lib/ui/hotkeys.ts'
import { render } from '../support/render.tsx'

let pressed: string[]

function Listener() {
  useHotkey('b', () => pressed.push('b'))
  useHotkey('F8', () => pressed.push('F8'))
  useHotkey('x', () => false)
  useHotkey('x', () => pressed.push('x'))
  useHotkey('x', () => pressed.push('x again'))
  const digits = useRef<HTMLInputElement>(null)
  useHotkey('s', () => pressed.push('s'), digits)
  return (
    <>
      <input />
      <p id="panel">
        <input ref={digits} id="digits" />
      </p>
    </>
  )
}

const press = (key: string, on: EventTarget = document.body, more: KeyboardEventInit = {}) =>
  on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))

beforeEach(async () => {
  localStorage.clear()
  pressed = []
  await render(
    <StrictMode>
      <Listener />
    </StrictMode>,
  )
})

describe('shortcuts', () => {
  it('react to their key, but not while someone types', () => {
    press('b')
    press('b', document.querySelector('input') ?? document)
    expect(pressed).toEqual(['b'])
  })

  it('react to the position of their letter on a keyboard of another alphabet', () => {
    // The Arabic layout writes two letters with this key.
    for (const key of ['и', 'ㅠ', 'ذ', 'لا']) press(key, document.body, { code: 'KeyB' })
    expect(pressed).toEqual(['b', 'b', 'b', 'b'])
    // On Latin keyboards, the letter itself counts instead of its position. Capitals are not shortcuts.
    for (const key of ['n', 'ß', 'B']) press(key, document.body, { code: 'KeyB' })
    press('И', document.body, { code: 'KeyB', shiftKey: true })
    expect(pressed).toHaveLength(4)
  })

  it('are handled by one listener, even if others decline them', () => {
    press('x')
    expect(pressed).toEqual(['x'])
  })

  it('of one letter are ignored while a dialog is open', () => {
    const dialog = document.body.appendChild(document.createElement('section'))
    dialog.setAttribute('aria-modal', 'true')
    press('b')
    press('F8')
    expect(pressed).toEqual(['F8'])
    dialog.remove()
    press('b')
    expect(pressed).toEqual(['F8', 'b'])
  })

  it('of one letter work in a digits-only field, but in no other', () => {
    press('s', document.querySelector('#digits') ?? document)
    press('s', document.querySelector('input:not([id])') ?? document)
    press('b', document.querySelector('#digits') ?? document)
    expect(pressed).toEqual(['s'])
  })

  it('of one letter work in the dialog that contains their field', () => {
    const panel = document.querySelector('#panel')
    panel?.setAttribute('aria-modal', 'true')
    press('b')
    press('s')
    expect(pressed).toEqual(['s'])
    panel?.removeAttribute('aria-modal')
  })

  it('of one letter can be switched off and on again, and F-keys stay on', () => {
    switchSingleKeys(false)
    press('b')
    press('F8')
    expect(pressed).toEqual(['F8'])
    switchSingleKeys(true)
    press('b')
    expect(pressed).toEqual(['F8', 'b'])
  })
})
