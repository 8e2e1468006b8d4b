/** A cookie, as the server sets it. */
export interface SessionCookie {
  readonly name: string
  readonly value: string
}

export interface PageOptions {
  readonly url: string
  readonly width: number
  readonly height: number
  /** The session to begin with; a guest's by default. */
  readonly session?: SessionCookie | undefined
}

/** An element on a page. */
export interface PageElement {
  /** Clicks its middle, or taps it on a phone. */
  click(): Promise<void>
}

/** What a journey needs of a browser: Chromium by Playwright, Firefox by WebDriver BiDi, WebKit by WebDriver. */
export interface BrowserPage {
  /** The browser's name and version. */
  readonly browser: string
  goto(path: string): Promise<void>
  /** Runs `function (...args) {…}`, given as source, in the page. */
  run<T>(source: string, ...args: readonly unknown[]): Promise<T>
  /** Like `run`, for functions that return an element or null. */
  find(source: string, ...args: readonly unknown[]): Promise<PageElement | null>
  /** Types into the focused element. */
  type(text: string): Promise<void>
  /** Presses a key by its DOM name, such as `Enter`. */
  press(key: string): Promise<void>
  /** The visible part of the page as PNG. */
  takePicture(): Promise<Buffer>
  close(): Promise<void>
}

/** Why this browser cannot be used here, as a sentence for the person who runs the journeys. */
export class BrowserMissingError extends Error {}
