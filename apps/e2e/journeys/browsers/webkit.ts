import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { BrowserMissingError, type BrowserPage, type PageOptions } from './browser-page.ts'
import { WebDriver } from './web-driver.ts'

const DRIVER = '/usr/bin/WebKitWebDriver'
const BROWSERS = '/usr/lib/*/webkit2gtk-4.1/MiniBrowser'
const XVFB = '/usr/bin/Xvfb'
/** Phones are narrower. */
const PHONE_MAX = 480
const STARTS_MAX = 4
const START_TRIES = 100
const START_EVERY_MS = 100
/** Room for the window's own toolbar. */
const SCREEN = '1600x1400x24'

/** Opens a page of an installed WebKitGTK, on a display of its own. Throws `BrowserMissingError` without one. */
export async function openWebKit(options: PageOptions): Promise<BrowserPage> {
  const [binary] = globSync(BROWSERS)
  if (!(binary && existsSync(DRIVER) && existsSync(XVFB)))
    throw new BrowserMissingError('WebKit is not installed: apt-get install webkit2gtk-driver xvfb')
  for (let tries = 1; ; tries++) {
    try {
      return await start(binary, options)
    } catch (error) {
      // It sometimes gets stuck while it starts.
      if (tries === STARTS_MAX || !(error instanceof DOMException && error.name === 'TimeoutError')) throw error
    }
  }
}

async function start(binary: string, { url, width, height, session }: PageOptions): Promise<BrowserPage> {
  // A window is as wide as its toolbar at least, which is wider than a phone.
  const zoom = width <= PHONE_MAX ? 2 : 1
  const processes: ChildProcess[] = []
  try {
    const display = await startDisplay(processes)
    const port = await findFreePort()
    const env = {
      ...process.env,
      DISPLAY: display,
      GDK_DPI_SCALE: String(zoom),
      // There is no graphics card, and root has no sandbox.
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
      NO_AT_BRIDGE: '1',
      ...(process.getuid?.() === 0 && { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }),
    }
    processes.push(spawn(DRIVER, [`--port=${port}`], { env, stdio: 'ignore' }))
    const driver = await connect(`http://127.0.0.1:${port}`, binary)
    const page = toBrowserPage(driver, url)
    const close = async () => {
      await driver.delete('').catch(() => undefined)
      for (const started of processes) started.kill()
    }
    // Cookies can be set for the current page only.
    await page.goto('/healthz')
    await driver.setWindow(width, height, zoom)
    if (session) await driver.post('/cookie', { cookie: { ...session, path: '/', httpOnly: true, sameSite: 'Lax' } })
    return { ...page, close }
  } catch (error) {
    for (const started of processes) started.kill()
    throw error
  }
}

function toBrowserPage(driver: WebDriver, url: string): Omit<BrowserPage, 'close'> {
  return {
    browser: driver.browser,
    goto: (path) => driver.post('/url', { url: new URL(path, url).href }),
    run: (source, ...args) => driver.run(source, args),
    find: async (source, ...args) => {
      const id = await driver.findElement(source, args)
      return id === null ? null : { click: () => driver.click(id) }
    },
    type: (text) => driver.type(text),
    press: (key) => driver.press(key),
    takePicture: async () => Buffer.from(await driver.get<string>('/screenshot'), 'base64'),
  }
}

/** Starts an X server and returns its display's name. */
async function startDisplay(processes: ChildProcess[]): Promise<string> {
  const server = spawn(XVFB, ['-displayfd', '3', '-screen', '0', SCREEN, '-noreset', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  processes.push(server)
  const answers = server.stdio[3]
  if (!answers) throw new Error('Xvfb has no channel for its display.')
  for await (const chunk of answers as AsyncIterable<Buffer>) return `:${chunk.toString().trim()}`
  throw new Error('Xvfb ended without a display.')
}

async function connect(address: string, binary: string): Promise<WebDriver> {
  for (let tries = 1; ; tries++) {
    try {
      return await WebDriver.begin(address, {
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary, args: ['--automation'] },
      })
    } catch (error) {
      if (tries === START_TRIES || !(error instanceof TypeError)) throw error
      // The driver does not listen yet.
      await sleep(START_EVERY_MS)
    }
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}
