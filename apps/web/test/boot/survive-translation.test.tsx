// @vitest-environment jsdom
import { act, type ReactNode, useState } from 'react'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { surviveTranslation } from '../../src/lib/boot/survive-translation.ts'
import { render } from '../support/render.tsx'

const { insertBefore, removeChild } = Node.prototype

beforeAll(surviveTranslation)

afterAll(() => Object.assign(Node.prototype, { insertBefore, removeChild }))

/** What translators do with a text: they move it into their own element, or replace it with such an element. */
const TRANSLATORS: Readonly<Record<string, (text: Text) => void>> = {
  'moves texts': (text) => {
    const font = document.createElement('font')
    text.replaceWith(font)
    font.append(document.createElement('font'))
    font.firstChild?.appendChild(text)
  },
  'replaces texts': (text) => {
    const font = document.createElement('font')
    font.textContent = text.data
    text.before(font)
    text.remove()
  },
}

/** The content before and after, and the text that the page must show then. */
const CHANGES: Readonly<Record<string, readonly [ReactNode, ReactNode, string]>> = {
  'an element before a text is added': [[null, '12%'], [<i key="arrow">▲</i>, '-5%'], '▲-5%'],
  'a text between elements is removed': [
    [<b key="b">a</b>, 'new', <i key="i">z</i>],
    [<b key="b">a</b>, null, <i key="i">z</i>],
    'az',
  ],
  'figures between words change': [['Sold ', 1, ' of ', 3], ['Sold ', 2, ' of ', 4], 'Sold 2 of 4'],
}

for (const [translator, translate] of Object.entries(TRANSLATORS)) {
  it.each(Object.entries(CHANGES))(`shows every change if a translator ${translator}: %s`, async (_, change) => {
    const [before, after, text] = change
    let show: (children: ReactNode) => void = () => {}
    function Part() {
      const [children, setChildren] = useState(before)
      show = setChildren
      return children
    }
    const { host: box, unmount } = await render(<Part />)
    const original = box.textContent
    for (const [children, expected] of [
      [after, text],
      [before, original],
      [after, text],
    ] as const) {
      for (const node of listTexts(box)) translate(node)
      await Promise.resolve()
      await act(() => show(children))
      await Promise.resolve()
      expect(box.textContent).toBe(expected)
    }
    await unmount()
    expect(box.textContent).toBe('')
  })
}

function listTexts(box: Node): Text[] {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode())
    if (walker.currentNode.parentNode?.nodeName !== 'FONT') texts.push(walker.currentNode as Text)
  return texts
}
