import { setTimeout as delay } from 'node:timers/promises'
import { DebugConnection } from './debug-connection.ts'

const LOOK_EVERY_MS = 100
const APPEARS_MAX_MS = 60_000

/** Keys in the format of the debugging protocol. */
const KEYS = {
  '2': { code: 'Digit2', windowsVirtualKeyCode: 50, text: '2' },
  Backspace: { code: 'Backspace', windowsVirtualKeyCode: 8 },
  Escape: { code: 'Escape', windowsVirtualKeyCode: 27 },
} as const

const LEFT = { button: 'left', clickCount: 1 } as const
/** A bit of the debugging protocol. */
const CTRL = 2

/** Pixels from the corner of the page's window. */
export interface Place {
  readonly x: number
  readonly y: number
}

export interface PageView {
  /** Port of the browser's debugging protocol. */
  readonly debugPort: number
  readonly url: string
  /** A player's session cookie, `name=value`. */
  readonly cookie: string
  readonly width: number
  readonly height: number
  /** JavaScript that runs before the page's own. */
  readonly script?: string
}

/** A page of a real browser, with trusted mouse and keyboard input. */
export class BrowserPage {
  readonly #connection: DebugConnection

  private constructor(connection: DebugConnection) {
    this.#connection = connection
  }

  static async open({ debugPort, url, cookie, width, height, script }: PageView): Promise<BrowserPage> {
    const connection = await DebugConnection.open(debugPort)
    const [name, value] = cookie.split('=')
    await connection.send('Network.setCookie', { name, value, url })
    const isMobile = width < 600
    await connection.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: isMobile,
    })
    await connection.send('Performance.enable', { timeDomain: 'threadTicks' })
    if (script !== undefined) {
      await connection.send('Page.enable', {})
      await connection.send('Page.addScriptToEvaluateOnNewDocument', { source: script })
    }
    await connection.send('Page.navigate', { url })
    return new BrowserPage(connection)
  }

  /** Runs a function in the page; it may use nothing but its argument. Rejects with what it throws. */
  async evaluate<A, T>(work: (argument: A) => T | Promise<T>, argument: A): Promise<T> {
    const expression = `(${work})(${JSON.stringify(argument)})`
    const { result, exceptionDetails } = await this.#connection.send<{
      result: { value: T }
      exceptionDetails?: { exception?: { description?: string } }
    }>('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? expression)
    return result.value
  }

  /** Waits until a visible element matches the selector. Rejects after a timeout. */
  async waitFor(selector: string): Promise<void> {
    const untilMs = performance.now() + APPEARS_MAX_MS
    while (!(await this.evaluate((it) => document.querySelector(it)?.checkVisibility() ?? false, selector))) {
      if (performance.now() > untilMs) throw new Error(`the page shows no ${selector}`)
      await delay(LOOK_EVERY_MS)
    }
  }

  /** Clicks the centre of the first matching element. Rejects if there is none. */
  async click(selector: string): Promise<void> {
    const place = await this.evaluate((it) => {
      const element = document.querySelector(it)
      if (element === null) throw new Error(`nothing to click at ${it}`)
      element.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      const { x, y, width, height } = element.getBoundingClientRect()
      return { x: x + width / 2, y: y + height / 2 }
    }, selector)
    const button = { ...place, button: 'left', clickCount: 1 }
    await this.#connection.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...button })
    await this.#connection.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button })
  }

  async press(key: keyof typeof KEYS): Promise<void> {
    await this.#connection.send('Input.dispatchKeyEvent', { type: 'keyDown', key, ...KEYS[key] })
    await this.#connection.send('Input.dispatchKeyEvent', { type: 'keyUp', key, ...KEYS[key] })
  }

  /** Brings the page to the front: others draw no frames and answer no input. */
  async show(): Promise<void> {
    await this.#connection.send('Page.bringToFront', {})
  }

  /** Moves the mouse, with its left button held if `isDown`. */
  async moveMouse(place: Place, isDown = false): Promise<void> {
    await this.#connection.send('Input.dispatchMouseEvent', {
      type: 'mouseMoved',
      ...place,
      ...(isDown && { button: 'left', buttons: 1 }),
    })
  }

  async pressMouse(place: Place): Promise<void> {
    await this.#connection.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...place, ...LEFT })
  }

  async releaseMouse(place: Place): Promise<void> {
    await this.#connection.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...place, ...LEFT })
  }

  /** Turns the wheel with Ctrl held; negative zooms in. */
  async zoomByWheel(place: Place, deltaY: number): Promise<void> {
    await this.#connection.send('Input.dispatchMouseEvent', {
      type: 'mouseWheel',
      ...place,
      deltaX: 0,
      deltaY,
      modifiers: CTRL,
    })
  }

  /** Waits until the next frame has been drawn. */
  async nextFrame(): Promise<void> {
    await this.evaluate(() => new Promise<null>((done) => requestAnimationFrame(() => setTimeout(done, 0, null))), null)
  }

  /** CPU time of the page's main thread since it was opened, in ms. */
  async workedMs(): Promise<number> {
    return await this.#readMetric('TaskDuration')
  }

  /** CPU time of the page's scripts since it was opened, in ms. */
  async scriptMs(): Promise<number> {
    return await this.#readMetric('ScriptDuration')
  }

  async #readMetric(metric: string): Promise<number> {
    const { metrics } = await this.#connection.send<{ metrics: readonly { name: string; value: number }[] }>(
      'Performance.getMetrics',
    )
    return (metrics.find(({ name }) => name === metric)?.value ?? Number.NaN) * 1_000
  }

  async close(): Promise<void> {
    await this.#connection.send('Page.close')
  }
}
