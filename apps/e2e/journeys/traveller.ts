import { setTimeout as sleep } from 'node:timers/promises'
import { describeEffort, type Effort, EffortCounter } from '../support/person.ts'
import type { BrowserPage, PageElement } from './browsers/browser-page.ts'
import { FilmStrip } from './film-strip.ts'
import { FIND_IN_PAGE, type Target, toArguments } from './find-in-page.ts'

const WITHIN_MS = 30_000
const POLL_MS = 50
/** For what moves or fades, before a picture, ms. */
const SETTLE_MS = 600

/** A person who goes through the product in any browser: counts taps, keys and seconds, and keeps a film strip. */
export class Traveller {
  readonly page: BrowserPage
  readonly #effort = new EffortCounter()
  readonly #strip = new FilmStrip()

  constructor(page: BrowserPage) {
    this.page = page
  }

  goto(path: string): Promise<void> {
    return this.page.goto(path)
  }

  /** Taps or clicks a target once it is there. */
  async tap(target: Target): Promise<void> {
    this.#effort.countTap()
    await this.#click(target)
  }

  /** Taps a field and types into it. */
  async type(field: Target, text: string): Promise<void> {
    await this.tap(field)
    await this.write(text)
  }

  /** Types into the focused field. */
  async write(text: string): Promise<void> {
    this.#effort.countKeys([...text].length)
    await this.page.type(text)
  }

  async press(key: string): Promise<void> {
    this.#effort.countKeys(1)
    await this.page.press(key)
  }

  /** Whether a target is on the page now. */
  async has(target: Target): Promise<boolean> {
    return (await this.page.find(FIND_IN_PAGE, ...toArguments(target)).catch(() => null)) !== null
  }

  /** Waits until one of the targets is there, and returns the first that is. */
  async findOneOf(...targets: readonly Target[]): Promise<Target> {
    const found: Target[] = []
    await this.#waitFor(targets.map(({ role, name }) => `${role} ${name}`).join(' or '), async () => {
      for (const target of targets) if (await this.has(target)) found.push(target)
      return found.length > 0
    })
    const [first] = found
    if (first === undefined) throw new Error('Nothing to find.')
    return first
  }

  /** Scrolls to a target once it is there. */
  async lookAt(target: Target): Promise<void> {
    await this.#waitFor(`${target.role} ${target.name}`, () => this.has(target))
  }

  /** Waits until the page's text contains `text`; parts far outside of the window may be left out by the browser. */
  async see(text: string | RegExp): Promise<void> {
    const wanted = typeof text === 'string' ? text : text.source
    await this.#waitFor(`the text ${wanted}`, async () => {
      const shown = await this.page.run<string>('function () { return document.body.innerText }').catch(() => '')
      return typeof text === 'string' ? shown.includes(text) : text.test(shown)
    })
  }

  /** Waits until the address's path is `path`. */
  async arrive(path: string | RegExp): Promise<void> {
    await this.#waitFor(`the address ${path}`, async () => {
      const at = await this.page.run<string>('function () { return location.pathname }').catch(() => '')
      return typeof path === 'string' ? at === path : path.test(at)
    })
  }

  /** Adds the visible part of the page to the film strip. */
  async film(caption: string): Promise<void> {
    await this.#effort.pause(async () => {
      await this.page.run('function () { return document.fonts.ready.then(() => null) }').catch(() => null)
      await sleep(SETTLE_MS)
      this.#strip.add(caption, await this.page.takePicture())
    })
  }

  /** Prints the effort, writes the film strip, and closes the page. */
  async finish(name: string): Promise<Effort> {
    const effort = this.#effort.measure()
    const path = await this.#strip.save(name)
    process.stdout.write(`${name}: ${describeEffort(effort)}; ${this.page.browser}; ${path}\n`)
    await this.page.close()
    return effort
  }

  async #click(target: Target): Promise<void> {
    let last: unknown = null
    await this.#waitFor(`${target.role} ${target.name}`, async () => {
      try {
        const found: PageElement | null = await this.page.find(FIND_IN_PAGE, ...toArguments(target))
        await found?.click()
        return found !== null
      } catch (error) {
        // The page was replaced, or something still moves over the target.
        last = error
        return false
      }
    }).catch((error: Error) => {
      throw new Error(`${error.message}${last === null ? '' : ` (${String(last)})`}`)
    })
  }

  async #waitFor(what: string, isThere: () => Promise<boolean>): Promise<void> {
    const endMs = performance.now() + WITHIN_MS
    while (!(await isThere())) {
      if (performance.now() > endMs) throw new Error(`After ${WITHIN_MS} ms the page does not show ${what}.`)
      await sleep(POLL_MS)
    }
  }
}
