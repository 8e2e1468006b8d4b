import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { beforeEach, expect, it, vi } from 'vitest'

const source = readFileSync(join(import.meta.dirname, '../../public/sw.js'), 'utf8')
const ORIGIN = 'https://papermoon.example'
const MESSAGE = { id: 7, title: 'Rugged', body: 'MOON is gone', path: '/token/3' }

interface Shown {
  readonly title: string
  readonly tag: string
  readonly data: { readonly path: string }
}

type Listener = (event: object) => void
let listeners: Map<string, Listener>
/** Shown notifications by tag. A browser replaces a notification that has the same tag. */
let shown: Map<string, Shown>
let windows: { focus: () => Promise<object> }[]
const openWindow = vi.fn()
const navigate = vi.fn()
const fetched = vi.fn()
const subscribe = vi.fn()

beforeEach(() => {
  vi.resetAllMocks()
  listeners = new Map()
  shown = new Map()
  windows = []
  runInNewContext(source, {
    URL,
    fetch: fetched,
    location: new URL(`${ORIGIN}/sw.js`),
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
    registration: {
      pushManager: { subscribe },
      showNotification: async (title: string, options: Omit<Shown, 'title'>) =>
        void shown.set(options.tag, { title, ...options }),
    },
    clients: { matchAll: async () => windows, openWindow },
  })
})

/** Calls the worker's listener, and waits for its work. */
async function dispatch(type: string, event: object): Promise<void> {
  const waits: Promise<unknown>[] = []
  listeners.get(type)?.({ ...event, waitUntil: (wait: Promise<unknown>) => waits.push(wait) })
  await Promise.all(waits)
}

const push = (message: object) => dispatch('push', { data: { json: () => message } })
const close = vi.fn()
const click = (path: string) => dispatch('notificationclick', { notification: { close, data: { path } } })

it('shows a message that arrives twice once, and another one beside it', async () => {
  await push(MESSAGE)
  await push(MESSAGE)
  expect([...shown.values()]).toMatchObject([{ title: 'Rugged', body: 'MOON is gone', data: { path: '/token/3' } }])
  await push({ ...MESSAGE, id: 8 })
  expect(shown.size).toBe(2)
})

it('a click closes the message and opens its page, in an open window if there is one', async () => {
  await push(MESSAGE)
  const [{ data } = { data: { path: '' } }] = shown.values()
  await click(data.path)
  expect(close).toHaveBeenCalledOnce()
  expect(openWindow.mock.calls).toEqual([[`${ORIGIN}/token/3`]])
  windows = [{ focus: async () => ({ navigate }) }]
  await click(data.path)
  expect(navigate.mock.calls).toEqual([[`${ORIGIN}/token/3`]])
  expect(openWindow).toHaveBeenCalledOnce()
})

it('a click does not open a page of another site', async () => {
  await click('https://elsewhere.example/token/3')
  expect(openWindow).not.toHaveBeenCalled()
})

it.each(['itself', 'only when asked to'])(
  'a device whose URL the browser replaces %s stays subscribed',
  async (how) => {
    const options = { userVisibleOnly: true }
    const keys = { p256dh: 'B-_A', auth: 'a_-' }
    const made = { toJSON: () => ({ endpoint: 'https://push.example/new', keys }) }
    subscribe.mockResolvedValue(made)
    const oldSubscription = { endpoint: 'https://push.example/old', options }
    await dispatch('pushsubscriptionchange', { oldSubscription, newSubscription: how === 'itself' ? made : null })
    expect(subscribe.mock.calls).toEqual(how === 'itself' ? [] : [[options]])
    expect(fetched.mock.calls.map(([path, { body }]) => [path, JSON.parse(body)])).toEqual([
      ['/api/push/unsubscribe', { endpoint: 'https://push.example/old' }],
      ['/api/push/subscribe', { endpoint: 'https://push.example/new', ...keys }],
    ])
  },
)
