// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copyText } from '../../src/lib/ui/copy-text.ts'

/** Gives the page a clipboard API, as in secure contexts. */
function giveClipboard(writeText: ((text: string) => Promise<void>) | undefined): void {
  Object.defineProperty(navigator, 'clipboard', { value: writeText && { writeText }, configurable: true })
}

beforeEach(() => {
  document.body.innerHTML = '<section><button type="button">Copy</button></section>'
  document.querySelector('button')?.focus()
})

afterEach(() => giveClipboard(undefined))

describe('copyText', () => {
  it('puts the text on the clipboard', async () => {
    const copied: string[] = []
    giveClipboard(async (text) => void copied.push(text))
    expect(await copyText('123456')).toBe(true)
    expect(copied).toEqual(['123456'])
  })

  it('copies a selection if the page has no clipboard, and restores the focus', async () => {
    const copied: unknown[] = []
    document.execCommand = (command) => {
      const { activeElement } = document
      if (command !== 'copy' || !(activeElement instanceof HTMLTextAreaElement)) return false
      copied.push(activeElement.value.slice(activeElement.selectionStart, activeElement.selectionEnd))
      return true
    }
    giveClipboard(undefined)
    expect(await copyText('123456')).toBe(true)
    expect(copied).toEqual(['123456'])
    expect(document.activeElement).toBe(document.querySelector('button'))
    expect(document.querySelector('textarea')).toBeNull()
  })

  it('says that nothing was copied if neither is allowed', async () => {
    giveClipboard(() => Promise.reject(new DOMException('no', 'NotAllowedError')))
    document.execCommand = () => false
    expect(await copyText('123456')).toBe(false)
  })
})
