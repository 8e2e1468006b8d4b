// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CompareCopyForm } from '../../src/features/proof/heads/compare-copy-form.tsx'

let root: Root
let host: HTMLElement

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  host = document.body.appendChild(document.createElement('div'))
  root = createRoot(host)
  await act(() => root.render(<CompareCopyForm />))
})

afterEach(() => act(() => root.unmount()))

const outcome = () => document.querySelector('body > p.visually-hidden')?.textContent ?? ''

const write = (text: string) =>
  act(() => {
    const field = host.querySelector('textarea')
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text)
    field?.dispatchEvent(new Event('input', { bubbles: true }))
  })

it('a comparison’s result disappears when its copy is changed', async () => {
  await write('no copy')
  await act(async () => host.querySelector('button')?.click())
  expect(outcome()).toContain('This is not JSON')
  await write('another')
  expect(outcome()).toBe('')
})
