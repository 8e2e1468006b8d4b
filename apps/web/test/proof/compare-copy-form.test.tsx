// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { expect, it, vi } from 'vitest'
import { CompareCopyForm } from '../../src/features/proof/compare-copy-form.tsx'
import { fill, render } from '../support/render.tsx'

const outcome = () => document.querySelector('body > p.visually-hidden')?.textContent ?? ''

it('a comparison’s result disappears if its copy is changed', async () => {
  const { host } = await render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <CompareCopyForm />
      </MantineProvider>
    </QueryClientProvider>,
  )
  const field = host.querySelector('textarea') as HTMLTextAreaElement
  await fill(field, 'no copy')
  await act(async () => host.querySelector('button')?.click())
  await vi.waitFor(() => expect(outcome()).toContain('This is not JSON'))
  await fill(field, 'another')
  await vi.waitFor(() => expect(outcome()).toBe(''))
})
