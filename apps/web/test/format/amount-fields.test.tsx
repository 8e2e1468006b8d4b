// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core'
import { act, type ReactNode, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AmountField } from '../../src/components/form/amount-field.tsx'
import { CodeField } from '../../src/components/form/code-field.tsx'

let root: Root
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(async () => {
  await act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function typeInto(form: ReactNode, text: string): Promise<HTMLInputElement> {
  await act(() => root.render(<MantineProvider>{form}</MantineProvider>))
  const input = document.querySelector('input') as HTMLInputElement
  await act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
  return input
}

/** A form whose amount may be left out. */
function Optional() {
  const [amount, setAmount] = useState({ text: '', isWrong: false })
  return (
    <>
      <AmountField
        label="SOL"
        decimals={9}
        value={amount.text}
        onAmount={(text, isWrong) => setAmount({ text, isWrong })}
      />
      <button type="submit" disabled={amount.isWrong}>
        Buy {amount.text}
      </button>
    </>
  )
}

it.each([
  ['۱۲٫۵', '12.5', 'Buy 12.5'],
  ['12·5', '12·5', null],
])(
  'a form takes %s for what it says, or says what is wrong and keeps its button disabled',
  async (text, shown, label) => {
    const input = await typeInto(<Optional />, text)
    const button = document.querySelector('button') as HTMLButtonElement
    expect([input.value, button.disabled, input.getAttribute('aria-invalid')]).toEqual([
      shown,
      label === null,
      label === null ? 'true' : null,
    ])
    if (label !== null) expect(button.textContent).toBe(label)
    else
      expect(document.querySelector('[role=status]')?.textContent).toBe(
        'Only digits and one decimal point make an amount. ',
      )
  },
)

it('a code takes the digits of any script', async () => {
  expect((await typeInto(<CodeField kind="totp" problem={null} />, '۱۲۳ ４５６')).value).toBe('123456')
})
