import type { Page } from '@playwright/test'
import type { Player } from '../support/player.ts'
import type { Visit } from '../support/test.ts'
import type { MadeMarket } from './made-market.ts'

/** The player and the market that a screen is tested with, before the page opens. */
export interface Setting {
  readonly market: MadeMarket
  /** The player whose session the page has, or a new player. */
  readonly player: Player
}

/** A screen that is open, with its player and the market. */
export interface Scene extends Setting {
  readonly page: Page
  readonly device: string
  /** Checks the screen in its current state, or takes a picture of it. `state` is added to its name. */
  look(state?: string, page?: Page): Promise<void>
  /** Opens another page with the same window size. */
  open(path: string, visit?: Visit): Promise<Page>
}

/** A screen, with the states in which it is checked and pictured. */
export interface Screen {
  readonly name: string
  /** Prepares the market and returns the path. */
  readonly path: string | ((setting: Setting) => string | Promise<string>)
  /** The player whose session the page has. If undefined, the visitor is a guest. */
  readonly as?: 'trader' | 'newcomer' | 'new'
  /** The test calls this function before the page opens. */
  readonly before?: (page: Page) => Promise<unknown>
  /** The test calls this function with the open page, before the last check or picture. */
  readonly act?: (scene: Scene) => Promise<unknown>
  /** Console errors that the screen causes. */
  readonly expected?: RegExp
  /** Whether to take a picture of only the visible part. Set this for dialogs and endless pages. */
  readonly isWindow?: boolean
  /** Whether the screen is also checked on a tablet. */
  readonly hasTables?: boolean
}
