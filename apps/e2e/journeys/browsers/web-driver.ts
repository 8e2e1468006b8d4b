import { setTimeout as sleep } from 'node:timers/promises'

const ANSWER_MAX_MS = 60_000
/** A browser that takes longer to start has got stuck. */
const BEGIN_MAX_MS = 15_000
/** The property that names an element in an answer, by the WebDriver standard. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
/** WebDriver's code points for keys that type nothing. */
const KEYS: Readonly<Record<string, string>> = { Enter: '\uE007', Tab: '\uE004', Escape: '\uE00C' }
const RESIZE_TRIES = 20
const RESIZED_MS = 250

/** A session of the WebDriver protocol (https://www.w3.org/TR/webdriver2/): only what the journeys use. */
export class WebDriver {
  readonly browser: string
  readonly #session: string
  #zoom = 1

  private constructor(session: string, browser: string) {
    this.#session = session
    this.browser = browser
  }

  /** Throws a `TypeError` while nothing listens at `address`, and a `TimeoutError` if the browser gets stuck. */
  static async begin(address: string, alwaysMatch: object): Promise<WebDriver> {
    const { sessionId, capabilities } = await call<{
      sessionId: string
      capabilities: { browserName: string; browserVersion: string }
    }>(`${address}/session`, 'POST', { capabilities: { alwaysMatch } }, BEGIN_MAX_MS)
    const { browserName, browserVersion } = capabilities
    return new WebDriver(`${address}/session/${sessionId}`, `WebKitGTK ${browserVersion} (${browserName})`)
  }

  get<T>(path: string): Promise<T> {
    return call(`${this.#session}${path}`, 'GET')
  }

  post<T>(path: string, body: object): Promise<T> {
    return call(`${this.#session}${path}`, 'POST', body)
  }

  delete(path: string): Promise<void> {
    return call(`${this.#session}${path}`, 'DELETE')
  }

  run<T>(source: string, args: readonly unknown[]): Promise<T> {
    return this.post('/execute/sync', { script: `return (${source})(...arguments)`, args })
  }

  /** The id of the element that the function returns, or null. */
  async findElement(source: string, args: readonly unknown[]): Promise<string | null> {
    const found = await this.run<Readonly<Record<string, string>> | null>(source, args)
    return found?.[ELEMENT] ?? null
  }

  /** Clicks an enlarged page by script, since the driver looks for its elements in the wrong place. */
  click(element: string): Promise<void> {
    if (this.#zoom === 1) return this.post(`/element/${element}/click`, {})
    return this.run('function (found) { found.focus(); found.click() }', [{ [ELEMENT]: element }])
  }

  async type(text: string): Promise<void> {
    const active = await this.get<Readonly<Record<string, string>>>('/element/active')
    await this.post(`/element/${active[ELEMENT]}/value`, { text })
  }

  async press(key: string): Promise<void> {
    const value = KEYS[key] ?? key
    const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value }))
    await this.post('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }

  /** Makes the page this large in its own pixels; its window has a toolbar above it. A page must be open. */
  async setWindow(width: number, height: number, zoom: number): Promise<void> {
    this.#zoom = zoom
    const window = { width: width * zoom, height: height * zoom }
    await this.post('/window/rect', window)
    const missing = height - (await this.#waitForWidth(width))
    if (missing === 0) return
    await this.post('/window/rect', { ...window, height: (height + missing) * zoom })
    await this.#waitForWidth(width)
  }

  /** Waits until the page has been laid out in its window's new size, and returns its height. */
  async #waitForWidth(width: number): Promise<number> {
    for (let tries = 1; ; tries++) {
      await sleep(RESIZED_MS)
      const inner = await this.run<number[]>('function () { return [innerWidth, innerHeight] }', [])
      if (inner[0] === width) return inner[1] ?? 0
      if (tries === RESIZE_TRIES) throw new Error(`The window is ${inner[0]} px wide and not ${width}.`)
    }
  }
}

async function call<T>(address: string, method: string, body?: object, withinMs = ANSWER_MAX_MS): Promise<T> {
  const response = await fetch(address, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    signal: AbortSignal.timeout(withinMs),
  })
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } }
  if (!response.ok) throw new Error(`${method} ${address}: ${value.error}: ${value.message}`)
  return value
}
