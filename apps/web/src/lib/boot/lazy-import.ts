import { RECONNECT_MS } from '@papermoon/client/reconnect'
import { createElement, type FunctionComponent, lazy, type ReactNode, Suspense } from 'react'
import { readStored, store } from '../ui/stored.ts'

/** Max number of attempts: 10 minutes with one attempt every 3 seconds. */
const TRIES_MAX = 200

/**
 * Imports code lazily. While the server is unreachable, retries every 3 seconds, because a missing toast or chart must
 * not replace a page with a pending order. If a new build has replaced the file, reloads the page.
 */
export async function lazyImport<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let tries = 1; tries < TRIES_MAX; tries++) {
    try {
      return await load()
    } catch {
      await reloadIfReplaced()
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
    }
  }
  return await load()
}

// Replace the link of a missing style sheet to request it again, because the build's code requests each sheet only
// once. Skip this in the build, which also runs this file but has no event listeners.
globalThis.addEventListener?.(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
    const again = target.cloneNode() as HTMLLinkElement
    const tries = Number(target.dataset.tries ?? 0) + 1
    again.dataset.tries = String(tries)
    if (tries < TRIES_MAX) setTimeout(() => target.replaceWith(again), RECONNECT_MS)
  },
  true,
)

type PropsOf<Part> = Part extends (props: infer Props) => ReactNode ? Props : never

/**
 * Creates a component whose module loads when the component first renders. Until the module has loaded, `fallback` is
 * visible.
 */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  fallback: ReactNode = null,
): (props: PropsOf<Module[Name]> & object) => ReactNode {
  const Part = lazy(async () => ({ default: (await lazyImport(load))[name] as FunctionComponent<object> }))
  return (props) => createElement(Suspense, { fallback }, createElement(Part, props))
}

const KEY = 'papermoon-reloaded-from'

/**
 * Reloads the page if the server has a newer build, because the chunks of that build have other names. Reloads at most
 * once per build, because servers behind one URL may have different builds for a while.
 */
async function reloadIfReplaced(): Promise<void> {
  const entry = document.querySelector<HTMLElement>('script[data-app]')?.dataset.app
  if (entry === undefined) return
  try {
    const answer = await fetch('/', { cache: 'no-cache' })
    if (!answer.ok || (await answer.text()).includes(entry) || readStored(KEY, 'sessionStorage') === entry) return
    if (store(KEY, entry, 'sessionStorage')) location.reload()
  } catch {
    // Do not reload the page, because the server is unreachable.
  }
}
