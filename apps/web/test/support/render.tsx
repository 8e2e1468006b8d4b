import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { onTestFinished } from 'vitest'

export interface Rendered {
  readonly host: HTMLElement
  /** Renders something else at the same place. */
  show(node: ReactNode): Promise<void>
  unmount(): Promise<void>
}

/** Renders into the page until the test ends. */
export async function render(node: ReactNode): Promise<Rendered> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const host = document.body.appendChild(document.createElement('div'))
  const root = createRoot(host)
  const show = (next: ReactNode) => act(async () => root.render(next))
  const unmount = () => act(async () => root.unmount())
  onTestFinished(async () => {
    await unmount()
    host.remove()
  })
  await show(node)
  return { host, show, unmount }
}

/** Types a text into a field, like a player. */
export function fill(field: HTMLInputElement | HTMLTextAreaElement, text: string): Promise<void> {
  return act(async () => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
