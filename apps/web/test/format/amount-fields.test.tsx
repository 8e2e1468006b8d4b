// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { expect, it } from 'vitest'
import { AmountField } from '../../src/components/form/amount-field.tsx'
import { CodeField } from '../../src/components/form/code-field.tsx'
import { fill, render } from '../support/render.tsx'

async function typeInto(form: ReactNode, text: string): Promise<HTMLInputElement> {
  const { host } = await render(<MantineProvider>{form}</MantineProvider>)
  const input = host.querySelector('input') as HTMLInputElement
  await fill(input, text)
  return input
}

/** A form with an optional amount. */
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

it('a form accepts digits of any script, and disables its button for an unreadable text', async () => {
  const taken = await typeInto(<Optional />, '۱۲٫۵')
  expect([taken.value, document.querySelector('button')?.textContent]).toEqual(['12.5', 'Buy 12.5'])
  document.body.replaceChildren()
  const refused = await typeInto(<Optional />, '12·5')
  expect([refused.value, document.querySelector('button')?.disabled, refused.getAttribute('aria-invalid')]).toEqual([
    '12·5',
    true,
    'true',
  ])
  expect(document.body.textContent).toContain('Use only digits and one decimal point.')
})

it('a code accepts the digits of any script', async () => {
  expect((await typeInto(<CodeField kind="totp" problem={null} />, '۱۲۳ ４５６')).value).toBe('123456')
})
